/*
 * books.c - see books.h.
 */
#include "books.h"

#include <string.h>

#include "clock.h"
#include "frames.h"
#include "sampler.h"
#include "threads.h"

/* What the collector knows of a slot. */
struct account {
    uint32_t seq;    /* of the thread that the rest is about; another one: the slot was used again */
    uint32_t thread; /* its id in the store */
    uint32_t last, parked; /* nodes; 0: none */
    uint8_t last_cut, parked_cut; /* the store had no room for all of the stack */
};

static struct rp_store_writer *store;
static struct account accounts[RP_MAX_THREADS]; /* untouched pages cost nothing */
static uint32_t n_accounts;                     /* touched ones */
static uint32_t path[RP_MAX_DEPTH + 1]; /* nodes of the stack that the ring's entries refer to, root first */
static uint32_t path_known;             /* path[0 .. path_known - 1] are nodes; beyond, the store had no room */
static struct {
    uint64_t ns, cpu_ns; /* running time of threads that ended before their first stack */
    uint32_t thread;     /* of the store: whom it is shown for */
} carried;
static uint32_t unknown_node;

static uint32_t unknown(void)
{
    if (!unknown_node)
        unknown_node = rp_store_node(store, 0, RP_FUNCTION_UNKNOWN, 0);
    return unknown_node == RP_STORE_NO_NODE ? 0 : unknown_node;
}

static struct account *account_of(uint32_t index)
{
    struct account *a = &accounts[index];
    const struct rp_thread *t = rp_thread_at(index);
    if (index >= n_accounts)
        n_accounts = index + 1;
    if (a->seq != t->seq) {
        *a = (struct account){.seq = t->seq};
        a->thread = rp_store_thread(store, t->seq, t->born_ns);
    }
    return a;
}

/* Follows an entry's stack down from what it shares with the one before. Returns the leaf's node; *cut: the store has no room. */
static uint32_t follow(const uint64_t *w, uint32_t flags, uint8_t *cut)
{
    uint32_t common = (uint32_t)w[3], n = (uint32_t)(w[3] >> 32);
    uint32_t depth = common + n;

    if (path_known > common)
        path_known = common;
    if (path_known == common) { /* else the path broke off before, for want of room: so does this one */
        uint32_t node = common ? path[common - 1] : 0;
        if (!common && flags & RP_SAMPLE_CUT)
            node = rp_store_node(store, 0, RP_FUNCTION_TRUNCATED, 0);
        for (uint32_t i = 0; i < n && node != RP_STORE_NO_NODE; i++) {
            node = rp_store_node(store, node, (uint32_t)(w[4 + i] >> 32), (int32_t)(uint32_t)w[4 + i]);
            if (node != RP_STORE_NO_NODE)
                path[path_known++] = node;
        }
    }
    *cut = path_known < depth;
    return path_known ? path[path_known - 1] : 0;
}

static void sample(const uint64_t *w)
{
    uint32_t on = (w[0] >> 8) & 255, state = (w[0] >> 16) & 255, flags = (w[0] >> 24) & 255;
    struct account *a = account_of((uint32_t)(w[0] >> 32));
    uint32_t node = a->last;
    uint8_t cut = a->last_cut;

    if (on == RP_ON_STACK) {
        node = a->last = follow(w, flags, &cut);
        a->last_cut = cut;
        if (flags & RP_SAMPLE_PARK) {
            a->parked = node;
            a->parked_cut = cut;
        }
    } else if (on == RP_ON_PARKED && a->parked) {
        node = a->parked;
        cut = a->parked_cut;
    }
    if (w[1] || w[2])
        rp_store_add(store, node ? node : cut ? 0 : unknown(), cut, a->thread, 0, state, 1, w[1], w[2]);
}

static void entry(const uint64_t *w)
{
    switch (w[0] & 255) {
    case RP_ENTRY_SAMPLE:
        sample(w);
        break;
    case RP_ENTRY_NAME: {
        size_t name_len = (size_t)(w[1] >> 32), file_len = (size_t)w[2];
        const char *bytes = (const char *)(w + 3);
        rp_store_function(store, (uint32_t)w[1], bytes, name_len, bytes + name_len, file_len,
                          (int32_t)(w[0] >> 32));
        break;
    }
    case RP_ENTRY_THREAD_NAME:
        rp_store_thread_name(store, account_of((uint32_t)(w[0] >> 32))->thread, (const char *)(w + 2), (size_t)w[1]);
        break;
    }
}

static void drain_ring(void)
{
    const uint64_t *w;
    uint32_t n;
    while ((w = rp_ring_peek(&rp_ring, &n)) != NULL) {
        entry(w);
        rp_ring_pop(&rp_ring);
    }
}

/*
 * A thread shorter than the time between two ticks may end before any stack was taken. What it ran is given to the next such thread's
 * stack, in the name of "[short threads]": on the whole, each kind of short thread gets what is its own.
 */
static void carry(uint64_t ns, uint64_t cpu_ns)
{
    carried.ns += ns;
    carried.cpu_ns += cpu_ns;
    atomic_fetch_add_explicit(&rp_store_writer_header(store)->carried_ns, ns > cpu_ns ? ns : cpu_ns,
                              memory_order_relaxed);
}

static void give_carried(uint32_t node, int cut)
{
    if (!carried.ns && !carried.cpu_ns)
        return;
    if (!carried.thread) {
        carried.thread = rp_store_thread(store, 0, 0);
        rp_store_thread_name(store, carried.thread, "[short threads]", 15);
        rp_store_thread_state(store, carried.thread, RP_STATE_NONE, 0, 0, 0, 0);
    }
    rp_store_add(store, node, cut, carried.thread, 0, RP_STATE_RUNNING, 0, carried.cpu_ns, carried.ns);
    carried.ns = carried.cpu_ns = 0;
}

/* Gives all that is pending of t to stacks: where it was seen last, or where it released the GVL. */
static void give_rest(struct rp_thread *t, struct account *a, int dies)
{
    for (uint32_t state = 0; state < RP_PENDING_STATES; state++) {
        uint64_t ns = atomic_exchange_explicit(&t->pending_ns[state], 0, memory_order_relaxed);
        uint64_t cpu_ns = atomic_exchange_explicit(&t->pending_cpu_ns[state], 0, memory_order_relaxed);
        int waits = (state == RP_STATE_GVL_BLOCKED || state == RP_STATE_GVL_WAIT) && a->parked;
        uint32_t node = waits ? a->parked : a->last;

        if (!ns && !cpu_ns)
            continue;
        if (!node && dies && state == RP_STATE_RUNNING)
            carry(ns, cpu_ns);
        else
            rp_store_add(store, node ? node : unknown(), waits ? a->parked_cut : a->last_cut, a->thread, 0, state,
                         0, cpu_ns, ns);
    }
    if (dies && a->last)
        give_carried(a->last, a->last_cut);
}

static void bury_dead(void)
{
    uint32_t n = rp_threads_used();
    for (uint32_t i = 0; i < n && atomic_load(&rp_threads_dead); i++) {
        struct rp_thread *t = rp_thread_at(i);
        if (atomic_load(&t->life) != RP_DEAD)
            continue;
        drain_ring(); /* what it sent before it died */
        struct account *a = account_of(i);
        give_rest(t, a, 1);
        rp_store_thread_state(store, a->thread, RP_STATE_NONE, 0, 0, 0, 0);
        rp_thread_free(t);
    }
}

void rp_books_open(struct rp_store_writer *s)
{
    store = s;
    path_known = 0;
    unknown_node = 0;
    memset(accounts, 0, n_accounts * sizeof(*accounts));
    n_accounts = 0;
    memset(&carried, 0, sizeof(carried));
    rp_store_function(store, RP_FUNCTION_TRUNCATED, "[truncated]", 11, "<rperf>", 7, 0);
    rp_store_function(store, RP_FUNCTION_UNKNOWN, "[unknown]", 9, "<rperf>", 7, 0);
}

void rp_books_drain(void)
{
    drain_ring();
    if (atomic_load(&rp_threads_dead))
        bury_dead();
}

static void publish_thread(uint32_t index)
{
    struct rp_thread *t = rp_thread_at(index);
    uint32_t life = atomic_load(&t->life);
    if (life != RP_RUNS && life != RP_PARKED)
        return;
    struct account *a = account_of(index);
    uint64_t ready = atomic_load_explicit(&t->ready_ns, memory_order_relaxed);
    uint32_t state = life == RP_RUNS ? RP_STATE_RUNNING : ready ? RP_STATE_GVL_WAIT : RP_STATE_GVL_BLOCKED;
    uint64_t since = state == RP_STATE_GVL_WAIT ? ready : atomic_load_explicit(&t->mark_ns, memory_order_relaxed);

    rp_store_thread_state(store, a->thread, state, since,
                          atomic_load_explicit(&t->pending_ns[state], memory_order_relaxed),
                          state != RP_STATE_RUNNING && a->parked ? a->parked : a->last, 0);
}

static void set(_Atomic uint64_t *word, uint64_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

void rp_books_count_ticks(const struct rp_ticker *ticker)
{
    struct rp_store_header *h = rp_store_writer_header(store);
    set(&h->ticks, ticker->ticks);
    set(&h->late_ticks, ticker->late_ticks);
    set(&h->throttled_ticks, ticker->throttled_ticks);
}

static void publish_counters(uint64_t now)
{
    struct rp_store_header *h = rp_store_writer_header(store);
    set(&h->jobs, atomic_load_explicit(&rp_counters.jobs, memory_order_relaxed));
    set(&h->stacks, atomic_load_explicit(&rp_counters.stacks, memory_order_relaxed));
    set(&h->sampling_time_ns, atomic_load_explicit(&rp_counters.sampling_time_ns, memory_order_relaxed));
    set(&h->ring_full, atomic_load_explicit(&rp_counters.ring_full, memory_order_relaxed));
    set(&h->contended, atomic_load_explicit(&rp_counters.contended, memory_order_relaxed));
    set(&h->threads_seen, rp_threads_seen());
    set(&h->own_cpu_ns, rp_clock_thread_cpu());
    set(&h->updated_mono_ns, now);
}

void rp_books_publish(uint64_t now)
{
    uint32_t n = rp_threads_used();
    drain_ring();
    for (uint32_t i = 0; i < n; i++)
        publish_thread(i);
    publish_counters(now);
}

/* Accounts a thread up to the end; nobody else touches it any more, for the hooks have stopped. */
static void settle_to_end(struct rp_thread *t, uint64_t now)
{
    uint32_t life = atomic_load(&t->life);
    uint64_t ready = atomic_load_explicit(&t->ready_ns, memory_order_relaxed);
    /* with M:N its native thread has run others since: what it burnt was read when it stopped */
    uint64_t cpu = t->migrates ? 0 : rp_thread_cpu_from_outside(t);

    if (life == RP_PARKED) {
        if (ready)
            rp_thread_settle(t, RP_STATE_GVL_BLOCKED, ready);
        rp_thread_settle(t, ready ? RP_STATE_GVL_WAIT : RP_STATE_GVL_BLOCKED, now);
    } else {
        rp_thread_settle(t, RP_STATE_RUNNING, now);
    }
    if (cpu)
        rp_thread_settle_cpu(t, cpu);
}

void rp_books_close(uint64_t now)
{
    struct rp_store_header *h = rp_store_writer_header(store);
    uint32_t n = rp_threads_used();

    for (uint32_t i = 0; i < n; i++) {
        struct rp_thread *t = rp_thread_at(i);
        uint32_t life = atomic_load(&t->life);
        if (life != RP_RUNS && life != RP_PARKED)
            continue;
        struct account *a = account_of(i);
        settle_to_end(t, now);
        give_rest(t, a, 0);
        rp_store_thread_state(store, a->thread, RP_STATE_NONE, 0, 0, 0, 0);
    }
    give_carried(unknown(), 0);
    publish_counters(now);
    set(&h->end_mono_ns, now);
    set(&h->end_cpu_ns, rp_clock_read(CLOCK_PROCESS_CPUTIME_ID));
    atomic_store_explicit(&h->end, RP_END_NORMAL, memory_order_release);
}
