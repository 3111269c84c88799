/*
 * grid.h - the grid that ticks lie on: one line a period, at a random place inside each period, so that a program that works in
 * step with the period is measured right.
 *
 * Pure arithmetic on ns of the monotonic clock. ctx: any, async-signal-safe.
 */
#ifndef RP_GRID_H
#define RP_GRID_H

#include <stdint.h>

struct rp_grid {
    uint64_t period_ns;
    uint64_t origin_ns; /* a moment before which nobody asks */
    uint64_t seed;
};

void rp_grid_init(struct rp_grid *g, uint64_t frequency_hz, uint64_t origin_ns, uint64_t seed);
/* Lines up to and including time t. Two moments with different counts have a line between them. */
uint64_t rp_grid_lines(const struct rp_grid *g, uint64_t t);
/* The first line after time t. */
uint64_t rp_grid_next(const struct rp_grid *g, uint64_t t);

#endif
