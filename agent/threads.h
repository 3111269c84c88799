/*
 * threads.h - what we know of each Ruby thread: one slot a thread, with the time that it spent in each state and that no stack has
 * been given yet.
 *
 * Time bookkeeping: a slot has a mark (monotonic ns) up to which its time is accounted, and pending[state], what was accounted but
 * not yet given to a stack. rp_thread_settle moves the mark; giving takes a pending amount away. So the weights of a thread always
 * add up to its life.
 *
 * Who writes: the thread itself (in the job, in SUSPENDED, RESUMED, EXITED and the GC hooks), but for READY, which the waker stores
 * (ready_ns only), and the collector, which frees a dead slot. Others read with relaxed loads and may see a moment in between.
 */
#ifndef RP_THREADS_H
#define RP_THREADS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "../encoders/store.h"
#include "vm.h"

#define RP_PENDING_STATES (RP_STATE_GC_SWEEP + 1)
#define RP_MAX_THREADS    65536u

enum rp_life {
    RP_FREE = 0, /* in the pool */
    RP_RUNS,     /* holds a GVL, as far as events tell */
    RP_PARKED,   /* blocked, and since ready_ns (if not 0) waiting for the GVL */
    RP_DEAD,     /* over; the collector gives away what is pending and frees the slot */
};

struct rp_thread {
    _Atomic uint32_t life;      /* enum rp_life */
    _Atomic uint64_t mark_ns;   /* accounted up to here */
    _Atomic uint64_t ready_ns;  /* of the READY since the last SUSPENDED, 0: none */
    _Atomic uint64_t pending_ns[RP_PENDING_STATES];     /* wall */
    _Atomic uint64_t pending_cpu_ns[RP_PENDING_STATES]; /* cpu */

    uint64_t born_ns;
    uint32_t seq;           /* 1, 2, ... in order of birth: thread_seq */
    uint32_t index;         /* of the slot: what entries of the ring carry */
    uint32_t next_free;     /* pool */
    rp_value ruby_thread;   /* only compared, where events carry no thread (before 3.3) */
    uint32_t is_main;

    /* CPU: the clock's value up to which CPU is distributed, and the wall time per state since then */
    uint64_t cpu_mark_ns;
    uint64_t wall_since_cpu_ns[RP_PENDING_STATES];
    pthread_t native;        /* that it ran on last; compared only */
    _Atomic int32_t tid;     /* of it: whose CPU clock is read from outside */
    uint32_t migrates;       /* M:N: seen on more than one native thread */

    /* what the own thread remembers between its events */
    uint32_t state_now;     /* RP_STATE_RUNNING, or GC_MARK/GC_SWEEP inside GC */
    uint32_t in_gc;
    uint64_t gc_part_ns;    /* begin of the current part of a GC step */
    uint32_t gc_mark_due;   /* a grid line lay in the mark part of this step */
    uint32_t has_stack;     /* some stack of it was sent */
    uint32_t park_stack;    /* the stack at SUSPENDED was sent */
    uint32_t samples;       /* for looking at the name now and then */
    uint64_t name_hash;
    _Atomic uint32_t first_pending; /* its first stack was asked for at its birth */
};

/* Empties the pool (at start, and in a fork's child). 0, or -1 without memory. ctx: GVL held. */
int rp_threads_init(void);

/* A slot for a new thread, parked or running since now_ns; NULL when there are too many. ctx: any, allocates no memory by malloc. */
struct rp_thread *rp_thread_new(enum rp_life life, uint64_t now_ns);
/* Back to the pool. ctx: collector. */
void rp_thread_free(struct rp_thread *t);

/* The slot of an index; the number of indexes ever used. ctx: any. */
struct rp_thread *rp_thread_at(uint32_t index);
uint32_t rp_threads_used(void);
uint32_t rp_threads_seen(void);

/* Threads in RP_RUNS now; changed by rp_thread_life only. */
extern _Atomic int32_t rp_threads_running;
extern _Atomic uint32_t rp_threads_dead;
/* Changes the life of a slot; returns the one before. ctx: the thread itself. */
enum rp_life rp_thread_life(struct rp_thread *t, enum rp_life life);

/* Accounts the time from the mark to now_ns to state. ctx: the thread itself. */
void rp_thread_settle(struct rp_thread *t, uint32_t state, uint64_t now_ns);
/* Distributes the CPU burnt since the last call over the states (threads.c says how). ctx: the thread itself; a system call. */
void rp_thread_settle_cpu(struct rp_thread *t, uint64_t cpu_now_ns);
/* The CPU clock of the native thread that t last ran on, read from any thread; 0 when it is gone. ctx: collector. */
uint64_t rp_thread_cpu_from_outside(const struct rp_thread *t);

#endif
