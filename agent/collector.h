/*
 * collector.h - the thread that ticks and that keeps the store. Sees ids and times, never a Ruby object or its address.
 */
#ifndef RP_COLLECTOR_H
#define RP_COLLECTOR_H

#include <stdint.h>

#include "../encoders/store.h"

struct rp_collector_config {
    void (*tick)(void);   /* asks the VM for a job; called on the collector's thread */
    int thread_events;    /* the VM tells when threads run: with none running there are no ticks */
    int signal;           /* 0, or the signal of a POSIX timer as time source */
    uint64_t frequency_hz;
};

/* Starts the thread over a store that it then owns. 0, or an errno. ctx: GVL held, no collector runs. */
int rp_collector_start(const struct rp_collector_config *config, struct rp_store_writer *store);
/*
 * Gives all threads what is theirs up to now, closes the books of the store (RP_END_NORMAL) and joins the thread. The store stays
 * mapped. ctx: GVL held, hooks and job already stopped.
 */
void rp_collector_stop(void);
/* In a fork's child: there is no collector. ctx: fork child. */
void rp_collector_forget(void);

/* A thread has got the GVL: wakes a sleeping ticker. ctx: any, async-signal-safe; a load when it does not sleep. */
void rp_collector_running(void);
/* Wakes the collector for a request. ctx: any, async-signal-safe. */
void rp_collector_wake(void);
/* Runs fn on the collector's thread when all that was sent is in the store. One at a time. ctx: async-signal-safe. */
void rp_collector_request(void (*fn)(void));
/* Events have been seen to lie: from now on a slow look at the CPU clock guards against ticks that sleep while Ruby runs. */
void rp_collector_distrust_events(void);
/* A job for a tick has run. ctx: job. */
void rp_collector_job_ran(void);

#endif
