/*
 * snapshot.c - see snapshot.h.
 *
 * The handler only wakes the collector, which brings the store up to date and starts a thread that reads the store and writes the
 * file; that works without the GVL, while the program is stuck in C or asleep.
 *
 * sigaction is taken over so that the program sees what it would see without us: it is told the disposition that we replaced
 * (Signal.trap returns it), and what it installs replaces ours for good.
 */
#include "snapshot.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "collector.h"
#include "lifecycle.h"
#include "writeout.h"

typedef int (*sigaction_function)(int, const struct sigaction *, struct sigaction *);

int sigaction(int signal, const struct sigaction *act, struct sigaction *old) __attribute__((visibility("default")));

static _Atomic int ours;  /* the signal that our handler stands for, 0: none */
static _Atomic int taken; /* the application has installed its own */
static struct sigaction replaced;
/* Snapshots asked for and not yet written: one that is being written, one that came meanwhile. More answer nobody's question: the
 * second one begins after all of them. */
static _Atomic int wanted;
static int number;

static sigaction_function real_sigaction(void)
{
    static _Atomic(sigaction_function) found;
    sigaction_function f = atomic_load_explicit(&found, memory_order_relaxed);
    if (!f) {
        f = (sigaction_function)dlsym(RTLD_NEXT, "sigaction");
        atomic_store_explicit(&found, f, memory_order_relaxed);
    }
    return f;
}

int sigaction(int signal, const struct sigaction *act, struct sigaction *old)
{
    /*
     * A mere question is answered with the truth: Process.kill to the process itself asks, and would queue the signal inside the VM
     * if the handler were the VM's own (signal.c: signal_ignored).
     */
    if (!act || !signal || signal != atomic_load_explicit(&ours, memory_order_relaxed))
        return real_sigaction()(signal, act, old);
    struct sigaction seen = replaced;
    int result = real_sigaction()(signal, act, NULL);
    if (result != 0)
        return result;
    atomic_store(&ours, 0);
    atomic_store(&taken, 1);
    if (old)
        *old = seen;
    return 0;
}

static void *snapshot_thread(void *store)
{
    pthread_setname_np(pthread_self(), "rperf-snapshot");
    do
        rp_writeout_snapshot(store, ++number);
    while (atomic_fetch_sub(&wanted, 1) > 1);
    return NULL;
}

/* ctx: collector. */
static void begin(void)
{
    pthread_t thread;
    pthread_attr_t attr;
    int before = 0;

    while (before < 2 && !atomic_compare_exchange_weak(&wanted, &before, before + 1))
        ;
    if (before > 0)
        return; /* the thread that writes goes on with it */
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 512 * 1024);
    if (pthread_create(&thread, &attr, snapshot_thread, rp_lifecycle_store()) != 0)
        atomic_store(&wanted, 0);
    pthread_attr_destroy(&attr);
}

static void handler(int signal)
{
    (void)signal;
    if (rp_lifecycle_active())
        rp_collector_request(begin);
}

void rp_snapshot_init(int signal)
{
    struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};
    if (!signal || real_sigaction()(signal, NULL, &replaced) != 0 || replaced.sa_handler == SIG_IGN)
        return;
    sigfillset(&act.sa_mask);
    if (real_sigaction()(signal, &act, NULL) == 0)
        atomic_store(&ours, signal);
}

int rp_snapshot_signal_taken(void)
{
    return atomic_load(&taken);
}

void rp_snapshot_finish(void)
{
    for (int i = 0; i < 10000 && atomic_load(&wanted); i++)
        usleep(1000);
}

void rp_snapshot_forget(void)
{
    atomic_store(&wanted, 0);
    number = 0;
}
