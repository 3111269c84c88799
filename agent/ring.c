/*
 * ring.c - see ring.h. An entry is a word with its length and then that many words, never wrapped around the end: where it would
 * not fit, a filler entry (length with the top bit set) takes the rest.
 */
#include "ring.h"

#include <sys/mman.h>

#define MASK   (RP_RING_WORDS - 1)
#define FILLER (1ull << 63)

int rp_ring_init(struct rp_ring *r)
{
    if (!r->words) {
        void *p = mmap(NULL, RP_RING_WORDS * sizeof(uint64_t), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return -1;
        madvise(p, RP_RING_WORDS * sizeof(uint64_t), MADV_WIPEONFORK);
        r->words = p;
    }
    atomic_store_explicit(&r->head, 0, memory_order_relaxed);
    atomic_store_explicit(&r->tail, 0, memory_order_relaxed);
    return 0;
}

uint64_t *rp_ring_reserve(struct rp_ring *r, uint32_t n)
{
    uint64_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    uint64_t to_end = RP_RING_WORDS - (head & MASK);
    uint64_t need = n + 1u;

    if (need > RP_RING_WORDS / 2)
        return NULL;
    if (need > to_end)
        need += to_end;
    if (head - tail + need > RP_RING_WORDS)
        return NULL;
    if (n + 1u > to_end) {
        r->words[head & MASK] = FILLER | (to_end - 1);
        head += to_end;
    }
    r->words[head & MASK] = n;
    r->reserved_at = head;
    return &r->words[(head + 1) & MASK];
}

void rp_ring_publish(struct rp_ring *r)
{
    uint64_t n = r->words[r->reserved_at & MASK];
    atomic_store_explicit(&r->head, r->reserved_at + 1 + n, memory_order_release);
}

const uint64_t *rp_ring_peek(struct rp_ring *r, uint32_t *n)
{
    uint64_t head = atomic_load_explicit(&r->head, memory_order_acquire);
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);

    if (tail == head)
        return NULL;
    uint64_t length = r->words[tail & MASK];
    if (length & FILLER) {
        tail += 1 + (length & ~FILLER);
        atomic_store_explicit(&r->tail, tail, memory_order_release);
        length = r->words[tail & MASK]; /* a filler is published together with the entry behind it */
    }
    *n = (uint32_t)length;
    return &r->words[(tail + 1) & MASK];
}

void rp_ring_pop(struct rp_ring *r)
{
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    atomic_store_explicit(&r->tail, tail + 1 + r->words[tail & MASK], memory_order_release);
}

uint32_t rp_ring_used(struct rp_ring *r)
{
    return (uint32_t)(atomic_load_explicit(&r->head, memory_order_relaxed) -
                      atomic_load_explicit(&r->tail, memory_order_relaxed));
}
