/*
 * bootstrap.c - how we get into a process: the library's constructor, and the call of ruby_options that we stand before.
 *
 * The constructor runs in every process under the preload. Where there is no Ruby it costs two look-ups and changes nothing.
 */
#include <stdlib.h>

#include "lifecycle.h"
#include "message.h"
#include "options.h"
#include "snapshot.h"
#include "takeover.h"
#include "vm.h"
#include "writeout.h"

static void *our_ruby_options(int argc, char **argv);
/* the name that is exported; in a static Ruby it means the executable's own even here, so only the other is compared */
void *ruby_options(int argc, char **argv) __attribute__((visibility("default"), alias("our_ruby_options")));

static struct rp_options options;
static int wanted; /* this is a Ruby, and it is to be profiled */

static void start(void)
{
    if (!wanted)
        return;
    wanted = 0;
    rp_lifecycle_start(&options);
}

static int read_environment(void)
{
    struct rp_error err;
    rp_options_default(&options);
    if (rp_options_from_env(&options, getenv, &err) != 0) {
        rp_message("%s; running without a profile", err.what);
        return -1;
    }
    return options.enabled ? 0 : -1;
}

__attribute__((constructor)) static void construct(void)
{
    enum rp_vm_kind kind = rp_vm_detect((void *)our_ruby_options);
    const char *missing;

    if (kind == RP_VM_NONE)
        return;
    rp_message_init();
    if (read_environment() != 0)
        return;
    if (rp_vm_load(&missing) != 0) {
        rp_message("no profile: this Ruby lacks %s", missing);
        return;
    }
    if (rp_writeout_init(&options) != 0)
        return;
    wanted = 1;
    if (kind == RP_VM_STATIC && rp_takeover_static(start) != 0)
        rp_message("no profile: no way into this static Ruby");
}

/* ruby.h; the executable's call. The VM is up, nothing of RubyGems, Bundler or the application has been loaded. */
static void *our_ruby_options(int argc, char **argv)
{
    void *(*next)(int, char **) = (void *(*)(int, char **))rp_vm_next_ruby_options();
    start();
    return next(argc, argv);
}
