/*
 * ring.h - the way from the sampler to the collector: one ring of 64-bit words, entries of any length.
 *
 * One producer at a time (whoever is inside the gate, sampler.h) and one consumer, the collector; no locks. An entry is made whole
 * in place and published by one release-store. The memory is private and wiped in a fork's child.
 */
#ifndef RP_RING_H
#define RP_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RP_RING_WORDS (32u * 1024) /* 256 KB; a power of two */

struct rp_ring {
    uint64_t *words;
    _Atomic uint64_t head; /* next word to write; moved by the producer */
    _Atomic uint64_t tail; /* next word to read; moved by the consumer */
    uint64_t reserved_at;  /* producer only: where the entry in the making begins */
};

/* Maps (or, in a fork's child, empties) the ring. 0, or -1 without memory. ctx: GVL held, no producer and consumer. */
int rp_ring_init(struct rp_ring *r);

/*
 * Room for an entry of n payload words: where to write them, or NULL when the ring is full. Nothing is visible before
 * rp_ring_publish. ctx: inside the gate; async-signal-safe.
 */
uint64_t *rp_ring_reserve(struct rp_ring *r, uint32_t n);
void rp_ring_publish(struct rp_ring *r);

/* The next entry's payload and its length in words; NULL when there is none. It stays until rp_ring_pop. ctx: collector. */
const uint64_t *rp_ring_peek(struct rp_ring *r, uint32_t *n);
void rp_ring_pop(struct rp_ring *r);

/* Words waiting. ctx: any. */
uint32_t rp_ring_used(struct rp_ring *r);

#endif
