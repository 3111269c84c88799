/*
 * lifecycle.h - start, stop, fork: the only state machine of the agent.
 *
 *     IDLE --start--> ACTIVE --end proc--> STOPPED
 *                       | fork: the child is FORKED until its first job, then ACTIVE with a store of its own
 *
 * STOPPED comes first, then the collector is joined: the VM calls hooks and pending jobs after the end proc (VM-FACTS A10).
 */
#ifndef RP_LIFECYCLE_H
#define RP_LIFECYCLE_H

#include <stdatomic.h>

#include "../encoders/store.h"
#include "options.h"

enum rp_phase { RP_IDLE, RP_ACTIVE, RP_FORKED, RP_STOPPED };
extern _Atomic int rp_phase;

/* Whether hooks and jobs are to work. ctx: any. */
static inline int rp_lifecycle_active(void)
{
    return atomic_load_explicit(&rp_phase, memory_order_acquire) == RP_ACTIVE;
}

/*
 * Starts profiling: hooks, store, collector. What fails is said in one line and the program runs on without us.
 * ctx: main thread, GVL held, VM up; once.
 */
void rp_lifecycle_start(const struct rp_options *options);

/* The options of this run, and the store of this process while it is active or stopped. */
const struct rp_options *rp_lifecycle_options(void);
struct rp_store_writer *rp_lifecycle_store(void);

/* Starts anew in a fork's child, once the VM has repaired itself. ctx: job. */
void rp_lifecycle_start_in_child(void);

#endif
