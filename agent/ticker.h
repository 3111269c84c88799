/*
 * ticker.h - when to tick: the decision alone, on a given clock, so that tests can drive it.
 */
#ifndef RP_TICKER_H
#define RP_TICKER_H

#include <stdatomic.h>
#include <stdint.h>

#include "grid.h"

struct rp_ticker {
    int thread_events;
    _Atomic int distrust;    /* events have lied: look at the process's CPU now and then */
    _Atomic int job_pending; /* the job of the last tick has not run yet */
    uint64_t line_ns;        /* the grid line waited for, 0: none */
    uint64_t quiet_since_ns; /* since when nothing ran, 0: something does */
    uint64_t look_ns;        /* when to look at the CPU clock next */
    uint64_t looked_cpu_ns;
    uint64_t back_off_ns;

    /* the bound on our own cost */
    uint64_t window_ns, window_sampling_ns;
    uint32_t keep_of_1024; /* ticks that are kept */
    uint64_t random;

    uint64_t ticks, late_ticks, throttled_ticks;
};

void rp_ticker_init(struct rp_ticker *t, int thread_events);
/* 1: ask for a job now. */
int rp_ticker_due(struct rp_ticker *t, uint64_t now_ns, const struct rp_grid *grid);
/* When to call rp_ticker_due next; UINT64_MAX: when a thread runs again. */
uint64_t rp_ticker_next(struct rp_ticker *t, uint64_t now_ns, const struct rp_grid *grid);
/* Looks at what sampling cost since the last call and thins the ticks out when that is more than a tenth of the time. */
void rp_ticker_throttle(struct rp_ticker *t, uint64_t now_ns);

#endif
