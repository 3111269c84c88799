/*
 * supervise.h - waits for the command, and is to the outside what the command is.
 */
#ifndef RP_SUPERVISE_H
#define RP_SUPERVISE_H

#include <stdint.h>
#include <sys/types.h>

#include "witness.h"

struct rp_child {
    pid_t pid;
    int status;             /* as of wait, once it ended */
    uint64_t ended_mono_ns; /* CLOCK_MONOTONIC when we saw it */
    uint64_t cpu_ns;        /* what it used itself, without its children; 0: not known */
};

/* Passes signals on, stops and continues with the child, and returns when it has ended. All signals
 * must be blocked. Reaps whatever else is our child (as process 1 that is every orphan). */
void rp_supervise(struct rp_child *child, struct rp_witness *witness);
/* Ends this process as the child ended: same status, or same signal without a core of our own. */
void rp_end_like(const struct rp_child *child) __attribute__((noreturn));

#endif
