/*
 * current.c - see current.h.
 */
#include "current.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"

static int key = -1;
/* whom this native thread ran last: with M:N it serves many Ruby threads in turn */
static __thread struct rp_thread *ran_here __attribute__((tls_model("initial-exec")));
static __thread struct rp_thread *native_slot __attribute__((tls_model("initial-exec")));

void rp_current_init(void)
{
    if (rp_vm_thread_events() == 1 && key < 0)
        key = rp_vm.internal_thread_specific_key_create();
}

struct rp_thread *rp_slot_of(rp_value thread)
{
    if (key >= 0)
        return rp_vm.internal_thread_specific_get(thread, key);
    /* before 3.3: a native thread may serve one Ruby thread after another */
    return native_slot && native_slot->ruby_thread == thread ? native_slot : NULL;
}

void rp_slot_set(rp_value thread, struct rp_thread *slot)
{
    if (key >= 0)
        rp_vm.internal_thread_specific_set(thread, key, slot);
    else
        native_slot = slot;
    if (slot)
        slot->ruby_thread = thread;
}

/* The thread runs on a native thread that we have not seen it on: its CPU counts from here. */
static void settle_down(struct rp_thread *t)
{
    t->migrates = t->native != 0 || (ran_here && ran_here != t);
    t->native = pthread_self();
    atomic_store_explicit(&t->tid, (int32_t)syscall(SYS_gettid), memory_order_relaxed);
    t->cpu_mark_ns = rp_clock_thread_cpu();
}

struct rp_thread *rp_slot_here(rp_value thread, uint64_t now_ns)
{
    struct rp_thread *t = rp_slot_of(thread);
    if (!t) {
        t = rp_thread_new(RP_RUNS, now_ns);
        if (!t)
            return NULL;
        rp_slot_set(thread, t);
    }
    if (t->native != pthread_self()) {
        settle_down(t);
    } else if (ran_here != t && ran_here) {
        t->migrates = 1;
        t->cpu_mark_ns = rp_clock_thread_cpu(); /* what others burnt here is not its own */
    }
    ran_here = t;
    return t;
}
