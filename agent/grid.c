/*
 * grid.c - see grid.h.
 */
#include "grid.h"

void rp_grid_init(struct rp_grid *g, uint64_t frequency_hz, uint64_t origin_ns, uint64_t seed)
{
    g->period_ns = 1000000000u / frequency_hz;
    g->origin_ns = origin_ns;
    g->seed = seed;
}

/* Where the line of period k lies inside it: splitmix64's finalizer, scaled without a division. */
static uint64_t line_offset(const struct rp_grid *g, uint64_t k)
{
    uint64_t z = g->seed + k * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (uint64_t)(((unsigned __int128)z * g->period_ns) >> 64);
}

uint64_t rp_grid_lines(const struct rp_grid *g, uint64_t t)
{
    if (t < g->origin_ns)
        return 0;
    uint64_t k = (t - g->origin_ns) / g->period_ns;
    uint64_t inside = (t - g->origin_ns) - k * g->period_ns;
    return k + (inside >= line_offset(g, k));
}

uint64_t rp_grid_next(const struct rp_grid *g, uint64_t t)
{
    if (t < g->origin_ns)
        t = g->origin_ns;
    uint64_t k = (t - g->origin_ns) / g->period_ns;
    uint64_t line = g->origin_ns + k * g->period_ns + line_offset(g, k);
    if (line > t)
        return line;
    return g->origin_ns + (k + 1) * g->period_ns + line_offset(g, k + 1);
}
