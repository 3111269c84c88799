/*
 * names.c - see names.h. All VM calls that allocate or may raise while the program runs are here, each under rb_protect.
 */
#include "names.h"

#include <stdatomic.h>
#include <string.h>

#include "clock.h"
#include "frame_name.h"
#include "frames.h"
#include "sampler.h"
#include "vm.h"

static _Atomic int naming; /* some thread is inside: a second Ractor's job, or a finalizer's, leaves it alone */
static rp_value thread_name_method; /* Thread.instance_method(:name): a redefined Thread#name is not called */
static rp_id bind_call;

struct naming {
    uint32_t function;
    rp_value frame;
    int sent;
};

static rp_value init_body(rp_value arg)
{
    (void)arg;
    rp_vm.gc_register_address(&thread_name_method);
    bind_call = rp_vm.intern("bind_call");
    thread_name_method = rp_vm.eval_string("Thread.instance_method(:name)");
    return rp_vm.nil;
}

static void protect(rp_value (*body)(rp_value), void *arg)
{
    rp_value error = rp_vm.errinfo();
    int state = 0;
    rp_vm.protect(body, (rp_value)arg, &state);
    if (state)
        rp_vm.set_errinfo(error);
}

void rp_names_init(void)
{
    protect(init_body, NULL);
}

static int32_t first_line(rp_value frame)
{
    rp_value line = rp_vm.profile_frame_first_lineno(frame);
    return line == rp_vm.nil ? 0 : rp_vm.num2int(line);
}

static rp_value name_body(rp_value arg)
{
    struct naming *n = (struct naming *)arg;
    static char name[4096], file[4096];
    int32_t start = 0;

    rp_frame_name_clean(rp_vm_cstr(rp_vm.profile_frame_full_label(n->frame)), name, sizeof(name));
    if (!name[0])
        strcpy(name, "(anonymous)");
    rp_value path = rp_vm.profile_frame_path(n->frame);
    if (path == rp_vm.nil) {
        strcpy(file, "<C method>");
    } else {
        rp_value absolute = rp_vm.profile_frame_absolute_path(n->frame);
        rp_frame_name_clean(rp_vm_cstr(absolute == rp_vm.nil ? path : absolute), file, sizeof(file));
        start = first_line(n->frame);
    }
    if (!rp_gate_enter())
        return rp_vm.nil;
    n->sent = rp_sampler_send_name(n->function, name, file, start) == 0;
    rp_gate_leave();
    if (n->sent && rp_frames_named() != 0)
        n->sent = 0;
    return rp_vm.nil;
}

/* A frame whose name cannot be had (out of memory, say) gets a name all the same: it must not be asked for again and again. */
static int name_one(struct naming *n)
{
    rp_value error = rp_vm.errinfo();
    int state = 0;
    rp_vm.protect(name_body, (rp_value)n, &state);
    if (state)
        rp_vm.set_errinfo(error);
    return n->sent;
}

int rp_names_run(uint64_t budget_ns)
{
    struct naming n;
    uint64_t end = budget_ns ? rp_clock_mono() + budget_ns : UINT64_MAX;
    int left = 0;

    if (atomic_exchange(&naming, 1))
        return 0;
    while ((n.function = rp_frames_fresh(&n.frame)) != 0) {
        n.sent = 0;
        if (!name_one(&n) || rp_clock_mono() > end) {
            left = 1;
            break;
        }
    }
    atomic_store(&naming, 0);
    return left;
}


static uint64_t hash(const char *s)
{
    uint64_t h = 0xcbf29ce484222325u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 0x100000001b3u;
    return h;
}

static rp_value thread_name_body(rp_value arg)
{
    struct rp_thread *t = (struct rp_thread *)arg;
    rp_value self = rp_vm.thread_current();
    rp_value name = rp_vm.funcallv(thread_name_method, bind_call, 1, &self);
    const char *text = name == rp_vm.nil ? (t->is_main ? "main" : "") : rp_vm_cstr(name);
    uint64_t h = hash(text);

    if (h == t->name_hash || (!text[0] && !t->name_hash))
        return rp_vm.nil;
    if (rp_gate_enter()) {
        if (rp_sampler_send_thread_name(t, text) == 0)
            t->name_hash = h;
        rp_gate_leave();
    }
    return rp_vm.nil;
}

void rp_names_thread(struct rp_thread *t)
{
    uint32_t n = t->samples++;
    int due = n < 16 || (n < 256 ? (n & (n - 1)) == 0 : n % 256 == 0);
    if (!due || !thread_name_method || atomic_exchange(&naming, 1))
        return;
    protect(thread_name_body, t);
    atomic_store(&naming, 0);
}
