/*
 * job.c - see job.h. The job runs on the thread that runs Ruby, at a safepoint, with the GVL held. It must be short: one sample, a
 * few names.
 */
#include "job.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include "clock.h"
#include "collector.h"
#include "current.h"
#include "frames.h"
#include "lifecycle.h"
#include "names.h"
#include "sampler.h"
#include "vm.h"

#define NAMING_BUDGET_NS 100000u

static unsigned handle = UINT_MAX; /* of the preregistered job; UINT_MAX before 3.3 */
static _Atomic int tick_asked;

static void job(void *unused);

/* The new way names a handle once; the old one registers each time. */
void rp_job_trigger(void)
{
    if (handle != UINT_MAX)
        rp_vm.postponed_job_trigger(handle);
    else
        rp_vm.postponed_job_register_one(0, job, NULL);
}

void rp_job_tick(void)
{
    atomic_store_explicit(&tick_asked, 1, memory_order_relaxed);
    rp_job_trigger();
}

int rp_job_init(void)
{
    if (rp_vm.postponed_job_preregister && rp_vm.postponed_job_trigger) {
        handle = rp_vm.postponed_job_preregister(0, job, NULL);
        return handle == UINT_MAX ? -1 : 0;
    }
    return 0;
}

/* A job runs, so its thread does, whatever the events said. */
static void heal(struct rp_thread *t, uint64_t now)
{
    uint32_t life = atomic_load_explicit(&t->life, memory_order_relaxed);
    if (life == RP_RUNS)
        return;
    uint64_t ready = atomic_load_explicit(&t->ready_ns, memory_order_relaxed);
    rp_thread_settle(t, RP_STATE_GVL_BLOCKED, ready ? ready : now);
    rp_thread_settle(t, RP_STATE_GVL_WAIT, now);
    rp_thread_life(t, RP_RUNS);
    rp_collector_distrust_events();
}

static void sample(struct rp_thread *t, enum rp_token token, uint64_t now)
{
    if (!rp_gate_enter())
        return;
    rp_thread_settle(t, RP_STATE_RUNNING, now);
    if (rp_sampler_token(token, now)) {
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
        if (rp_frames_crowded()) {
            rp_frames_maintain();
            rp_sampler_forget();
        }
        if (rp_sampler_take(1) > 0)
            rp_sampler_give(t, RP_STATE_RUNNING, RP_ON_STACK, 0);
        atomic_fetch_add_explicit(&rp_counters.jobs, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&rp_counters.sampling_time_ns, rp_clock_mono() - now, memory_order_relaxed);
    }
    rp_gate_leave();
}

static void work(void)
{
    uint64_t now = rp_clock_mono();
    struct rp_thread *t = rp_slot_here(rp_vm.thread_current(), now);
    int tick = atomic_exchange_explicit(&tick_asked, 0, memory_order_relaxed);

    if (!t)
        return;
    heal(t, now);
    int first = !tick && atomic_exchange_explicit(&t->first_pending, 0, memory_order_relaxed);
    if (tick)
        rp_collector_job_ran();
    if (tick || first)
        sample(t, tick ? RP_TOKEN_TICK : RP_TOKEN_INTERVAL, now);
    rp_names_run(NAMING_BUDGET_NS);
    rp_names_thread(t);
}

static void job(void *unused)
{
    int saved = errno;
    (void)unused;
    if (atomic_load(&rp_phase) == RP_FORKED) {
        rp_lifecycle_start_in_child();
        atomic_store(&tick_asked, 1);
    }
    if (rp_lifecycle_active())
        work();
    errno = saved;
}

void rp_job_ask_first_stack(rp_value thread)
{
    struct rp_thread *t = rp_slot_of(thread);
    if (!t)
        return;
    atomic_store_explicit(&t->first_pending, 1, memory_order_relaxed);
    rp_job_trigger();
}
