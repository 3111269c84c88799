/*
 * threads.c - slots of threads and the bookkeeping of their time; see threads.h. Knows no VM.
 */
#include "threads.h"

#include <string.h>
#include <sys/mman.h>

#include "clock.h"

_Atomic int32_t rp_threads_running;
_Atomic uint32_t rp_threads_dead;

/* The pool: slots in one reserved range, touched as they are first used; freed ones on a stack with a tag against ABA. */
static struct rp_thread *pool;
static _Atomic uint32_t used;
static _Atomic uint32_t seen;
static _Atomic uint64_t free_list; /* tag << 32 | index + 1 */

int rp_threads_init(void)
{
    if (!pool) {
        void *p = mmap(NULL, RP_MAX_THREADS * sizeof(*pool), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            return -1;
        pool = p;
    }
    uint32_t n = atomic_load_explicit(&used, memory_order_relaxed);
    memset(pool, 0, n * sizeof(*pool));
    atomic_store(&used, 0);
    atomic_store(&seen, 0);
    atomic_store(&free_list, 0);
    atomic_store(&rp_threads_running, 0);
    atomic_store(&rp_threads_dead, 0);
    return 0;
}

static struct rp_thread *take_free(void)
{
    uint64_t top = atomic_load(&free_list);
    while ((uint32_t)top) {
        struct rp_thread *t = &pool[(uint32_t)top - 1];
        uint64_t below = (((top >> 32) + 1) << 32) | t->next_free;
        if (atomic_compare_exchange_weak(&free_list, &top, below))
            return t;
    }
    uint32_t i = atomic_fetch_add(&used, 1);
    if (i >= RP_MAX_THREADS) {
        atomic_fetch_sub(&used, 1);
        return NULL;
    }
    pool[i].index = i;
    return &pool[i];
}

struct rp_thread *rp_thread_new(enum rp_life life, uint64_t now_ns)
{
    struct rp_thread *t = take_free();
    if (!t)
        return NULL;
    uint32_t index = t->index;
    memset(t, 0, sizeof(*t));
    t->index = index;
    t->born_ns = now_ns;
    t->seq = atomic_fetch_add(&seen, 1) + 1;
    atomic_store_explicit(&t->mark_ns, now_ns, memory_order_relaxed);
    rp_thread_life(t, life);
    return t;
}

void rp_thread_free(struct rp_thread *t)
{
    rp_thread_life(t, RP_FREE);
    uint64_t top = atomic_load(&free_list), above;
    do {
        t->next_free = (uint32_t)top;
        above = (((top >> 32) + 1) << 32) | (t->index + 1);
    } while (!atomic_compare_exchange_weak(&free_list, &top, above));
}

struct rp_thread *rp_thread_at(uint32_t index)
{
    return &pool[index];
}

uint32_t rp_threads_used(void)
{
    return atomic_load_explicit(&used, memory_order_acquire);
}

uint32_t rp_threads_seen(void)
{
    return atomic_load_explicit(&seen, memory_order_relaxed);
}

enum rp_life rp_thread_life(struct rp_thread *t, enum rp_life life)
{
    enum rp_life before = atomic_exchange(&t->life, life);
    if (before == life)
        return before;
    if (before == RP_RUNS)
        atomic_fetch_sub(&rp_threads_running, 1);
    if (life == RP_RUNS)
        atomic_fetch_add(&rp_threads_running, 1);
    if (before == RP_DEAD)
        atomic_fetch_sub(&rp_threads_dead, 1);
    if (life == RP_DEAD)
        atomic_fetch_add(&rp_threads_dead, 1);
    return before;
}

static void add(_Atomic uint64_t *word, uint64_t value)
{
    /* one writer: a plain addition of an atomic word, without the bus lock */
    atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + value,
                          memory_order_relaxed);
}

void rp_thread_settle(struct rp_thread *t, uint32_t state, uint64_t now_ns)
{
    uint64_t mark = atomic_load_explicit(&t->mark_ns, memory_order_relaxed);
    if (now_ns <= mark)
        return;
    add(&t->pending_ns[state], now_ns - mark);
    t->wall_since_cpu_ns[state] += now_ns - mark;
    atomic_store_explicit(&t->mark_ns, now_ns, memory_order_relaxed);
}

/*
 * The CPU burnt since the last reading belongs to the states in which the thread held the GVL, in proportion to their wall time
 * (the thread ran in all of them alike). Only what exceeds that wall time was burnt while the GVL was released: it belongs to the
 * frame that released it.
 */
void rp_thread_settle_cpu(struct rp_thread *t, uint64_t cpu_now_ns)
{
    uint64_t burnt = cpu_now_ns > t->cpu_mark_ns ? cpu_now_ns - t->cpu_mark_ns : 0;
    uint64_t *wall = t->wall_since_cpu_ns;
    uint64_t held = wall[RP_STATE_RUNNING] + wall[RP_STATE_GC_MARK] + wall[RP_STATE_GC_SWEEP];

    if (burnt > held && wall[RP_STATE_GVL_BLOCKED]) {
        uint64_t released = burnt - held;
        if (released > wall[RP_STATE_GVL_BLOCKED])
            released = wall[RP_STATE_GVL_BLOCKED];
        add(&t->pending_cpu_ns[RP_STATE_GVL_BLOCKED], released);
        burnt -= released;
    }
    if (held) {
        uint64_t mark = (uint64_t)((double)burnt * (double)wall[RP_STATE_GC_MARK] / (double)held);
        uint64_t sweep = (uint64_t)((double)burnt * (double)wall[RP_STATE_GC_SWEEP] / (double)held);
        if (mark + sweep > burnt) /* rounding */
            sweep = burnt - mark;
        add(&t->pending_cpu_ns[RP_STATE_GC_MARK], mark);
        add(&t->pending_cpu_ns[RP_STATE_GC_SWEEP], sweep);
        burnt -= mark + sweep;
    }
    add(&t->pending_cpu_ns[RP_STATE_RUNNING], burnt);
    if (cpu_now_ns > t->cpu_mark_ns)
        t->cpu_mark_ns = cpu_now_ns;
    memset(t->wall_since_cpu_ns, 0, sizeof(t->wall_since_cpu_ns));
}

uint64_t rp_thread_cpu_from_outside(const struct rp_thread *t)
{
    int32_t tid = atomic_load_explicit(&t->tid, memory_order_relaxed);
    if (!tid)
        return 0;
    /*
     * The clock of a thread by its id, as pthread_getcpuclockid makes it (posix-timers.h: CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED);
     * unlike that call, it is safe when the thread has gone: the kernel answers EINVAL.
     */
    return rp_clock_read((clockid_t)((~(uint32_t)tid << 3) | 6));
}
