/*
 * sampler.h - takes stacks and hands weights to the collector.
 *
 * The gate: one thread at a time is inside; entering never waits. Who finds it taken (another Ractor samples; or the namer's
 * allocation started a GC whose hook wants a stack) leaves its time pending, where the thread's next stack of that kind finds it.
 *
 * Only the part of a stack that differs from the last one sent, counted from the root, goes through the ring.
 */
#ifndef RP_SAMPLER_H
#define RP_SAMPLER_H

#include <stdint.h>

#include "grid.h"
#include "ring.h"
#include "threads.h"

#define RP_MAX_DEPTH 2048 /* frames of a stack, counted from the leaf */

/* Entries of the ring. Payload words:
 *   RP_ENTRY_SAMPLE       w0 kind | on << 8 | state << 16 | flags << 24 | thread index << 32; w1 cpu_ns; w2 wall_ns;
 *                         w3 common | new << 32; then new words function << 32 | line, root first
 *   RP_ENTRY_NAME         w0 kind | start line << 32; w1 function | name bytes << 32; w2 file bytes; bytes of both
 *   RP_ENTRY_THREAD_NAME  w0 kind | thread index << 32; w1 bytes; bytes
 */
enum rp_entry { RP_ENTRY_SAMPLE = 1, RP_ENTRY_NAME, RP_ENTRY_THREAD_NAME };

/* On which stack a weight lies. */
enum rp_on {
    RP_ON_STACK,  /* the one taken now */
    RP_ON_PARKED, /* the one sent at SUSPENDED */
    RP_ON_LAST,   /* the last one sent for this thread */
};

#define RP_SAMPLE_PARK 1u /* remember the stack for what comes on RP_ON_PARKED */
#define RP_SAMPLE_CUT  2u /* the stack goes on below its root */

struct rp_sampler_counters {
    _Atomic uint64_t jobs, stacks, sampling_time_ns, ring_full, contended;
};

extern struct rp_ring rp_ring;
extern struct rp_grid rp_grid;
extern struct rp_sampler_counters rp_counters;

/* lines: --no-lines gives 0. ctx: GVL held, at start. */
int rp_sampler_init(int lines, uint64_t frequency_hz, uint64_t now_ns);
/* Frames have been let go: their addresses may not be compared any more. ctx: inside the gate. */
void rp_sampler_forget(void);
/* The collector starts anew, and the gate may have been taken by a thread that is gone. ctx: GVL held, fork's child. */
void rp_sampler_reset(void);

/* ctx: any thread that holds a GVL, and its hooks. 1: inside. */
int rp_gate_enter(void);
void rp_gate_leave(void);

/*
 * Whether a stack may be taken now: a bucket of tokens bounds all stacks to twice the frequency in any second. Ticks always may
 * (they are bounded by themselves), interval ends while there are tokens, speculative ones while the bucket is more than half full.
 * ctx: inside the gate.
 */
enum rp_token { RP_TOKEN_TICK, RP_TOKEN_INTERVAL, RP_TOKEN_SPECULATIVE };
int rp_sampler_token(enum rp_token kind, uint64_t now_ns);

/*
 * Takes the current thread's stack. in_job: at a safepoint, where a leaf line that a JIT left out can be asked for. Returns its
 * depth; 0 when there is none (or no room to know it). ctx: inside the gate, GVL held; allocates: no.
 */
int rp_sampler_take(int in_job);

/*
 * Gives what is pending of t's state to a stack. Nothing pending: nothing is sent unless flags hold RP_SAMPLE_PARK.
 * 0, or -1 when the ring is full (all stays pending). ctx: inside the gate.
 */
int rp_sampler_give(struct rp_thread *t, uint32_t state, enum rp_on on, uint32_t flags);

/* Sends a name. 0, or -1 when the ring is full. ctx: inside the gate. */
int rp_sampler_send_name(uint32_t function, const char *name, const char *file, int32_t start_line);
int rp_sampler_send_thread_name(const struct rp_thread *t, const char *name);

#endif
