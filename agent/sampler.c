/*
 * sampler.c - see sampler.h. Nothing here locks, waits, allocates or resolves names.
 */
#include "sampler.h"

#include <string.h>

#include "clock.h"
#include "frames.h"
#include "vm.h"

#define NAME_BYTES 4096u /* longer names are cut */

struct rp_ring rp_ring;
struct rp_grid rp_grid;
struct rp_sampler_counters rp_counters;

struct stack {
    int depth, cut;
    int known; /* frames from the root that the collector has */
    rp_value frames[RP_MAX_DEPTH]; /* leaf first */
    int lines[RP_MAX_DEPTH];
};

static _Atomic int gate;
static int want_lines;
static struct stack stacks[2];
static struct stack *sent = &stacks[0];  /* the last one that the collector got */
static struct stack *taken = &stacks[1]; /* the last one taken; the same as sent once it is sent */
static uint64_t words[RP_MAX_DEPTH];     /* of taken, root first; of sent as far as sent->known */

static struct {
    int64_t level, capacity; /* in ns of token time: one token is cost_ns */
    int64_t cost_ns;
    uint64_t filled_ns;
    uint64_t speculative_ns; /* when the last speculative stack was taken */
} bucket;

int rp_sampler_init(int lines, uint64_t frequency_hz, uint64_t now_ns)
{
    want_lines = lines;
    /* tokens come at 1.5 times the frequency, half a second's worth of samples may be saved: at most 2 x frequency in a second */
    bucket.cost_ns = (int64_t)(1000000000u / frequency_hz) * 2 / 3;
    bucket.capacity = bucket.cost_ns * (int64_t)(frequency_hz / 2 ? frequency_hz / 2 : 1);
    bucket.level = bucket.capacity;
    bucket.filled_ns = now_ns;
    return rp_ring_init(&rp_ring);
}

void rp_sampler_forget(void)
{
    sent->depth = sent->known = taken->depth = taken->known = 0;
}

void rp_sampler_reset(void)
{
    rp_sampler_forget();
    atomic_store(&gate, 0);
}

int rp_gate_enter(void)
{
    if (atomic_load_explicit(&gate, memory_order_relaxed) ||
        atomic_exchange_explicit(&gate, 1, memory_order_acquire)) {
        atomic_fetch_add_explicit(&rp_counters.contended, 1, memory_order_relaxed);
        return 0;
    }
    return 1;
}

void rp_gate_leave(void)
{
    atomic_store_explicit(&gate, 0, memory_order_release);
}

int rp_sampler_token(enum rp_token kind, uint64_t now_ns)
{
    if (now_ns > bucket.filled_ns) {
        bucket.level += (int64_t)(now_ns - bucket.filled_ns);
        if (bucket.level > bucket.capacity)
            bucket.level = bucket.capacity;
        bucket.filled_ns = now_ns;
    }
    if ((kind == RP_TOKEN_INTERVAL && bucket.level < bucket.cost_ns) ||
        (kind == RP_TOKEN_SPECULATIVE && (bucket.level < bucket.capacity / 2 + bucket.cost_ns ||
                                          now_ns - bucket.speculative_ns < 2 * (uint64_t)bucket.cost_ns)))
        return 0;
    if (kind == RP_TOKEN_SPECULATIVE)
        bucket.speculative_ns = now_ns;
    bucket.level -= bucket.cost_ns;
    return 1;
}

static void count(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

/* Ruby 3.1 shows its bottom frame, a <main> without a line, that nobody called (vm_backtrace.c of 3.1: rb_profile_frames). */
static int without_bottom(const struct stack *s, int depth)
{
    if (rp_vm.version < 30200 && depth > 1 && s->lines[depth - 1] == 0 &&
        rp_vm.profile_frame_path(s->frames[depth - 1]) != rp_vm.nil)
        return depth - 1;
    return depth;
}

/* The leaf's line is 0 under YJIT before 4.0 (vm_backtrace.c: thread_profile_frames); C frames have none. */
static void fill_leaf_line(struct stack *s)
{
    if (s->lines[0] == 0 && rp_vm.profile_frame_path(s->frames[0]) != rp_vm.nil)
        s->lines[0] = rp_vm.sourceline();
}

static int shared_with_sent(const struct stack *s)
{
    int n = s->depth < sent->known ? s->depth : sent->known, i = 0;

    if (s->cut != sent->cut)
        return 0;
    while (i < n && s->frames[s->depth - 1 - i] == sent->frames[sent->depth - 1 - i] &&
           s->lines[s->depth - 1 - i] == sent->lines[sent->depth - 1 - i])
        i++;
    return i;
}

int rp_sampler_take(int in_job)
{
    struct stack *s = taken = sent == &stacks[0] ? &stacks[1] : &stacks[0];
    int ask_lines = want_lines || rp_vm.version < 30200;

    s->depth = rp_vm.profile_frames(0, RP_MAX_DEPTH, s->frames, ask_lines ? s->lines : NULL);
    if (s->depth <= 0)
        return 0;
    count(&rp_counters.stacks, 1);
    s->cut = s->depth == RP_MAX_DEPTH;
    if (ask_lines)
        s->depth = without_bottom(s, s->depth);
    if (!want_lines && ask_lines)
        memset(s->lines, 0, (size_t)s->depth * sizeof(*s->lines));
    else if (want_lines && in_job)
        fill_leaf_line(s);

    s->known = shared_with_sent(s);
    if (sent->known > s->known)
        sent->known = s->known; /* words beyond are overwritten now */
    for (int i = s->known; i < s->depth; i++) {
        uint32_t id = rp_frames_intern(s->frames[s->depth - 1 - i]);
        if (!id)
            return 0;
        int line = s->lines[s->depth - 1 - i];
        words[i] = (uint64_t)id << 32 | (uint32_t)(line > 0 ? line : 0);
    }
    return s->depth;
}

static uint64_t take_pending(_Atomic uint64_t *word)
{
    uint64_t v = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, 0, memory_order_relaxed);
    return v;
}

int rp_sampler_give(struct rp_thread *t, uint32_t state, enum rp_on on, uint32_t flags)
{
    uint32_t new_frames = on == RP_ON_STACK ? (uint32_t)(taken->depth - taken->known) : 0;

    if (!(flags & RP_SAMPLE_PARK) &&
        !atomic_load_explicit(&t->pending_ns[state], memory_order_relaxed) &&
        !atomic_load_explicit(&t->pending_cpu_ns[state], memory_order_relaxed))
        return 0;
    uint64_t *w = rp_ring_reserve(&rp_ring, 4 + new_frames);
    if (!w) {
        count(&rp_counters.ring_full, 1);
        return -1;
    }
    if (on == RP_ON_STACK && taken->cut)
        flags |= RP_SAMPLE_CUT;
    w[0] = RP_ENTRY_SAMPLE | (uint64_t)on << 8 | (uint64_t)state << 16 | (uint64_t)flags << 24 |
           (uint64_t)t->index << 32;
    w[1] = flags & RP_SAMPLE_PARK ? 0 : take_pending(&t->pending_cpu_ns[state]);
    w[2] = flags & RP_SAMPLE_PARK ? 0 : take_pending(&t->pending_ns[state]);
    w[3] = (uint64_t)new_frames << 32 | (uint32_t)taken->known;
    memcpy(w + 4, words + taken->known, new_frames * sizeof(*w));
    rp_ring_publish(&rp_ring);
    if (on == RP_ON_STACK) {
        t->has_stack = 1;
        taken->known = taken->depth;
        sent = taken;
    }
    return 0;
}

static uint32_t words_for(size_t bytes)
{
    return (uint32_t)((bytes + 7) / 8);
}

int rp_sampler_send_name(uint32_t function, const char *name, const char *file, int32_t start_line)
{
    size_t name_len = strnlen(name, NAME_BYTES), file_len = strnlen(file, NAME_BYTES);
    uint64_t *w = rp_ring_reserve(&rp_ring, 3 + words_for(name_len + file_len));

    if (!w)
        return -1;
    w[0] = RP_ENTRY_NAME | (uint64_t)(uint32_t)start_line << 32;
    w[1] = function | (uint64_t)name_len << 32;
    w[2] = file_len;
    memcpy(w + 3, name, name_len);
    memcpy((char *)(w + 3) + name_len, file, file_len);
    rp_ring_publish(&rp_ring);
    return 0;
}

int rp_sampler_send_thread_name(const struct rp_thread *t, const char *name)
{
    size_t len = strnlen(name, NAME_BYTES);
    uint64_t *w = rp_ring_reserve(&rp_ring, 2 + words_for(len));

    if (!w)
        return -1;
    w[0] = RP_ENTRY_THREAD_NAME | (uint64_t)t->index << 32;
    w[1] = len;
    memcpy(w + 2, name, len);
    rp_ring_publish(&rp_ring);
    return 0;
}
