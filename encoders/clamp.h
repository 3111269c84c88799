/*
 * clamp.h - sums of weights that come from files: they stop at the ends of int64_t, as a wrong sum
 * is better than undefined behaviour.
 */
#ifndef RP_CLAMP_H
#define RP_CLAMP_H

#include <stdint.h>

/* a + b, held within int64_t. */
static inline int64_t rp_add_clamped(int64_t a, int64_t b)
{
    int64_t sum;

    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

#endif
