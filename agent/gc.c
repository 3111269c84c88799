/*
 * gc.c - see gc.h. The hooks run on the allocating thread with the VM lock held: clock, sums, and by the grid rule a stack; nothing
 * is allocated.
 *
 * ENTER and EXIT stand around every step; between START and END_MARK the step marks, after it sweeps (gc.c of 3.1 to 4.0, VM-FACTS
 * B3). A tracer of allocations may swallow an ENTER or an EXIT: a step without its ENTER counts as running time.
 */
#include "gc.h"

#include <errno.h>

#include "clock.h"
#include "current.h"
#include "lifecycle.h"
#include "sampler.h"
#include "vm.h"

static _Atomic uint32_t phase = RP_STATE_GC_SWEEP; /* of the heap, which all Ractors share */

static uint32_t phase_now(void)
{
    return atomic_load_explicit(&phase, memory_order_relaxed);
}

static void enter(struct rp_thread *t, uint64_t now)
{
    if (!t->in_gc) /* else its EXIT was swallowed */
        rp_thread_settle(t, RP_STATE_RUNNING, now);
    t->in_gc = 1;
    t->gc_part_ns = now;
    t->gc_mark_due = 0;
}

static void change_phase(struct rp_thread *t, uint32_t to, uint64_t now)
{
    uint32_t from = phase_now();
    if (t->in_gc && from != to) {
        rp_thread_settle(t, from, now);
        if (from == RP_STATE_GC_MARK)
            t->gc_mark_due = rp_grid_lines(&rp_grid, t->gc_part_ns) != rp_grid_lines(&rp_grid, now);
        t->gc_part_ns = now;
    }
    atomic_store_explicit(&phase, to, memory_order_relaxed);
}

static void leave(struct rp_thread *t, uint64_t now)
{
    uint32_t last = phase_now();
    if (!t->in_gc)
        return;
    t->in_gc = 0;
    rp_thread_settle(t, last, now);
    int due = rp_grid_lines(&rp_grid, t->gc_part_ns) != rp_grid_lines(&rp_grid, now);
    int mark = t->gc_mark_due || (due && last == RP_STATE_GC_MARK);
    int sweep = due && last == RP_STATE_GC_SWEEP;

    if ((!mark && !sweep) || !rp_gate_enter())
        return;
    if (rp_sampler_token(RP_TOKEN_INTERVAL, now) && rp_sampler_take(0) > 0) {
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
        if (mark)
            rp_sampler_give(t, RP_STATE_GC_MARK, RP_ON_STACK, 0);
        if (sweep)
            rp_sampler_give(t, RP_STATE_GC_SWEEP, RP_ON_STACK, 0);
    }
    rp_gate_leave();
}

static void gc_event(uint32_t event, rp_value data, rp_value self, rp_id method, rp_value klass)
{
    (void)data, (void)self, (void)method, (void)klass;
    if (!rp_lifecycle_active())
        return;
    int saved = errno;
    uint64_t now = rp_clock_mono();
    struct rp_thread *t = rp_slot_here(rp_vm.thread_current(), now);

    if (t && event == RP_EVENT_GC_ENTER)
        enter(t, now);
    else if (t && event == RP_EVENT_GC_START)
        change_phase(t, RP_STATE_GC_MARK, now);
    else if (t && event == RP_EVENT_GC_END_MARK)
        change_phase(t, RP_STATE_GC_SWEEP, now);
    else if (t && event == RP_EVENT_GC_EXIT)
        leave(t, now);
    errno = saved;
}

void rp_gc_init(void)
{
    rp_vm.add_event_hook(gc_event, RP_EVENT_GC_START | RP_EVENT_GC_END_MARK | RP_EVENT_GC_ENTER | RP_EVENT_GC_EXIT,
                         rp_vm.nil);
}
