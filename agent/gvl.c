/*
 * gvl.c - see gvl.h. The hooks run on any native thread, most with the scheduler's lock held (VM-FACTS A7): they read the monotonic
 * clock and add up in the thread's own slot. STARTED and READY run on somebody else's thread and leave a timestamp only. A stack is
 * taken in SUSPENDED and RESUMED, when the rules of the grid and of the tokens allow it.
 *
 * Events lie (M:N, Ractors, Thread#raise): a SUSPENDED may come without READY and RESUMED. The next event or job of the thread
 * finds a state that does not fit and heals it.
 */
#include "gvl.h"

#include <errno.h>

#include "clock.h"
#include "collector.h"
#include "current.h"
#include "job.h"
#include "lifecycle.h"
#include "sampler.h"
#include "vm.h"

#define LOOKS_FOR_A_NAME 16

static int show_waits;

static void started(rp_value thread, uint64_t now)
{
    /* until its first RESUMED it waits for the GVL */
    struct rp_thread *t = rp_thread_new(RP_PARKED, now);
    if (t) {
        atomic_store_explicit(&t->ready_ns, now, memory_order_relaxed);
        rp_slot_set(thread, t);
    }
}

static void ready(rp_value thread, uint64_t now)
{
    struct rp_thread *t = rp_slot_of(thread);
    if (t && atomic_load_explicit(&t->life, memory_order_relaxed) == RP_PARKED &&
        !atomic_load_explicit(&t->ready_ns, memory_order_relaxed))
        atomic_store_explicit(&t->ready_ns, now, memory_order_relaxed);
}

/* Accounts a parked thread's time up to now. Returns where its wait for the GVL began (now: it did not wait). */
static uint64_t settle_parked(struct rp_thread *t, uint64_t now)
{
    uint64_t ready_ns = atomic_load_explicit(&t->ready_ns, memory_order_relaxed);
    if (!ready_ns || ready_ns > now)
        ready_ns = now;
    rp_thread_settle(t, RP_STATE_GVL_BLOCKED, ready_ns);
    rp_thread_settle(t, RP_STATE_GVL_WAIT, now);
    return ready_ns;
}

/*
 * While the budget allows it, a stack is sent as the thread goes to sleep, so that one that sleeps for long is known by it; and its
 * CPU clock is read, so that what it burns with the GVL released can be told from what it burnt before.
 */
static void speculative_stack(struct rp_thread *t, uint64_t now)
{
    if (!rp_gate_enter())
        return;
    /* a thread that has no stack yet comes first */
    if (rp_sampler_token(t->has_stack ? RP_TOKEN_SPECULATIVE : RP_TOKEN_INTERVAL, now) && rp_sampler_take(0) > 0) {
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
        t->park_stack = rp_sampler_give(t, RP_STATE_RUNNING, RP_ON_STACK, RP_SAMPLE_PARK) == 0;
    }
    rp_gate_leave();
}

static void suspended(rp_value thread, uint64_t now)
{
    struct rp_thread *t = rp_slot_here(thread, now);
    if (!t)
        return;
    if (rp_thread_life(t, RP_PARKED) == RP_PARKED) { /* it ran in between, nobody knows since when */
        settle_parked(t, now);
        rp_collector_distrust_events();
    } else {
        rp_thread_settle(t, RP_STATE_RUNNING, now);
    }
    atomic_store_explicit(&t->ready_ns, 0, memory_order_relaxed);
    t->park_stack = 0;
    speculative_stack(t, now);
    if (t->migrates && !t->park_stack)
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
}

/* Gives what a wait was that has just ended, if a grid line lies in it. */
static void give_wait(struct rp_thread *t, uint64_t from, uint64_t ready_ns, uint64_t now)
{
    uint64_t a = rp_grid_lines(&rp_grid, from), b = rp_grid_lines(&rp_grid, ready_ns), c = rp_grid_lines(&rp_grid, now);
    int blocked = a != b, waited = b != c && show_waits;

    if ((!blocked && !waited) || !rp_gate_enter())
        return;
    if (rp_sampler_token(RP_TOKEN_INTERVAL, now)) {
        enum rp_on on = RP_ON_PARKED;
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
        if (!show_waits && !atomic_load_explicit(&t->pending_cpu_ns[RP_STATE_GVL_BLOCKED], memory_order_relaxed))
            blocked = 0;
        if (!t->park_stack)
            on = (blocked || waited) && rp_sampler_take(0) > 0 ? RP_ON_STACK : RP_ON_LAST;
        if (on != RP_ON_LAST && blocked)
            rp_sampler_give(t, RP_STATE_GVL_BLOCKED, on, 0);
        if (on != RP_ON_LAST && waited)
            rp_sampler_give(t, RP_STATE_GVL_WAIT, on, 0);
    }
    rp_gate_leave();
}

static void resumed(rp_value thread, uint64_t now)
{
    struct rp_thread *t = rp_slot_here(thread, now);
    if (!t)
        return;
    uint64_t from = atomic_load_explicit(&t->mark_ns, memory_order_relaxed);
    if (rp_thread_life(t, RP_RUNS) == RP_RUNS) {
        rp_thread_settle(t, RP_STATE_RUNNING, now);
        return;
    }
    uint64_t ready_ns = settle_parked(t, now);
    give_wait(t, from, ready_ns, now);
    t->park_stack = 0;
    if (!t->name_hash && t->samples < LOOKS_FOR_A_NAME)
        rp_job_trigger(); /* it may have been given a name since its first job */
    rp_collector_running();
}

static void exited(rp_value thread, uint64_t now)
{
    struct rp_thread *t = rp_slot_of(thread);
    if (!t)
        return;
    if (atomic_load_explicit(&t->life, memory_order_relaxed) == RP_PARKED)
        settle_parked(t, now);
    else
        rp_thread_settle(t, RP_STATE_RUNNING, now);
    if (t->native == pthread_self())
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
    rp_slot_set(thread, NULL);
    rp_thread_life(t, RP_DEAD);
}

static void thread_event(uint32_t event, const struct rp_thread_event *data, void *unused)
{
    (void)unused;
    if (!rp_lifecycle_active())
        return;
    int saved = errno;
    /* 3.2 does not say which thread it is: there all events come on the thread itself but STARTED, which is left out */
    rp_value thread = rp_vm_thread_events() == 1 ? data->thread : rp_vm.thread_current();
    uint64_t now = rp_clock_mono();

    switch (event) {
    case RP_THREAD_STARTED:
        started(thread, now);
        break;
    case RP_THREAD_READY:
        ready(thread, now);
        break;
    case RP_THREAD_RESUMED:
        resumed(thread, now);
        break;
    case RP_THREAD_SUSPENDED:
        suspended(thread, now);
        break;
    case RP_THREAD_EXITED:
        exited(thread, now);
        break;
    }
    errno = saved;
}

/* The birth and end of a thread where no event tells them (before 3.3), on the thread itself with the GVL held. */
static void thread_border(uint32_t event, rp_value data, rp_value self, rp_id method, rp_value klass)
{
    (void)data, (void)self, (void)method, (void)klass;
    if (!rp_lifecycle_active())
        return;
    rp_value thread = rp_vm.thread_current();
    uint64_t now = rp_clock_mono();
    if (event == RP_EVENT_THREAD_BEGIN)
        rp_slot_here(thread, now);
    else if (rp_vm_thread_events() != 1)
        exited(thread, now);
}

/* A thread's first stack is asked for at its birth, so that one shorter than a period is known as well. */
static void thread_begin(uint32_t event, rp_value data, rp_value self, rp_id method, rp_value klass)
{
    thread_border(event, data, self, method, klass);
    if (event == RP_EVENT_THREAD_BEGIN && rp_lifecycle_active())
        rp_job_ask_first_stack(rp_vm.thread_current());
}

void rp_gvl_init(int wall)
{
    int events = rp_vm_thread_events();
    show_waits = wall;
    if (events == 1)
        rp_vm.internal_thread_add_event_hook(thread_event,
                                             RP_THREAD_STARTED | RP_THREAD_READY | RP_THREAD_RESUMED |
                                                 RP_THREAD_SUSPENDED | RP_THREAD_EXITED,
                                             NULL);
    else if (events == 0)
        rp_vm.internal_thread_add_event_hook(thread_event, RP_THREAD_READY | RP_THREAD_RESUMED | RP_THREAD_SUSPENDED, NULL);
    rp_vm.add_event_hook(thread_begin, RP_EVENT_THREAD_BEGIN | RP_EVENT_THREAD_END, rp_vm.nil);
}
