/*
 * ticker.c - see ticker.h.
 *
 * With thread events: ticks while some thread holds a GVL; after QUIET_NS without one the ticker sleeps until the next RESUMED.
 * Without (Ruby 3.1), or when the events have been seen to lie: while the job of the last tick has not run and the process burns no
 * CPU, nothing moves; the ticker then only looks at the CPU clock, less and less often.
 */
#include "ticker.h"

#include "clock.h"
#include "sampler.h"
#include "threads.h"

#define QUIET_NS        20000000u
#define FIRST_LOOK_NS   20000000u
#define LAST_LOOK_NS    100000000u
#define LEAST_MOVE_NS   300000u /* of CPU between two looks: our own looks burn some too */
#define MOST_COST       10      /* a tenth */

void rp_ticker_init(struct rp_ticker *t, int thread_events)
{
    *t = (struct rp_ticker){.thread_events = thread_events, .keep_of_1024 = 1024, .random = 0x2545f4914f6cdd1du};
}

static uint64_t process_cpu(void)
{
    return rp_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

/* 1 when a thread runs Ruby, as far as can be known. */
static int something_runs(struct rp_ticker *t, uint64_t now)
{
    if (t->thread_events && atomic_load(&rp_threads_running) > 0)
        return 1;
    if (!t->thread_events && !atomic_load_explicit(&t->job_pending, memory_order_relaxed))
        return 1;
    if ((t->thread_events && !atomic_load_explicit(&t->distrust, memory_order_relaxed)) || now < t->look_ns)
        return 0;
    uint64_t cpu = process_cpu();
    int moved = cpu - t->looked_cpu_ns > LEAST_MOVE_NS;
    t->looked_cpu_ns = cpu;
    t->back_off_ns = moved || !t->back_off_ns ? FIRST_LOOK_NS : 2 * t->back_off_ns;
    if (t->back_off_ns > LAST_LOOK_NS)
        t->back_off_ns = LAST_LOOK_NS;
    t->look_ns = now + t->back_off_ns;
    return moved;
}

static int kept(struct rp_ticker *t)
{
    if (t->keep_of_1024 >= 1024)
        return 1;
    t->random ^= t->random << 13;
    t->random ^= t->random >> 7;
    t->random ^= t->random << 17;
    if ((t->random & 1023) < t->keep_of_1024)
        return 1;
    t->throttled_ticks++;
    return 0;
}

int rp_ticker_due(struct rp_ticker *t, uint64_t now, const struct rp_grid *grid)
{
    if (!t->line_ns || now < t->line_ns)
        return 0;
    if (now - t->line_ns > grid->period_ns)
        t->late_ticks++;
    t->line_ns = 0;
    if (!something_runs(t, now)) {
        if (!t->quiet_since_ns)
            t->quiet_since_ns = now;
        return 0;
    }
    t->quiet_since_ns = 0;
    if (!kept(t))
        return 0;
    t->ticks++;
    return 1;
}

uint64_t rp_ticker_next(struct rp_ticker *t, uint64_t now, const struct rp_grid *grid)
{
    if (t->quiet_since_ns && now - t->quiet_since_ns >= QUIET_NS) {
        if (!t->thread_events || atomic_load_explicit(&t->distrust, memory_order_relaxed)) {
            if (t->look_ns <= now)
                t->look_ns = now + FIRST_LOOK_NS;
            return t->line_ns = t->look_ns;
        }
        t->quiet_since_ns = 0;
        t->line_ns = 0;
        return UINT64_MAX;
    }
    if (!t->line_ns)
        t->line_ns = rp_grid_next(grid, now);
    return t->line_ns;
}

void rp_ticker_throttle(struct rp_ticker *t, uint64_t now)
{
    uint64_t spent = atomic_load_explicit(&rp_counters.sampling_time_ns, memory_order_relaxed);
    uint64_t cost = spent - t->window_sampling_ns, time = now - t->window_ns;

    if (t->window_ns && time) {
        /* what it would have cost with all ticks kept */
        uint64_t full = cost * 1024 / (t->keep_of_1024 ? t->keep_of_1024 : 1);
        uint64_t keep = full * MOST_COST > time ? 1024 * time / (full * MOST_COST) : 1024;
        t->keep_of_1024 = keep < 16 ? 16 : (uint32_t)keep;
    }
    t->window_ns = now;
    t->window_sampling_ns = spent;
}
