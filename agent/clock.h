/*
 * clock.h - reading the clocks, in ns. ctx: any, async-signal-safe.
 *
 * The monotonic clock is read in user space (about 30 ns), a thread's CPU clock is a system call (about 330 ns): events read the
 * first only (DESIGN, Time).
 */
#ifndef RP_CLOCK_H
#define RP_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t rp_clock_read(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline uint64_t rp_clock_mono(void)
{
    return rp_clock_read(CLOCK_MONOTONIC);
}

static inline uint64_t rp_clock_thread_cpu(void)
{
    return rp_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

#endif
