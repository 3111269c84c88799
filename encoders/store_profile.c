/*
 * store_profile.c - from an indexed store to the profile: nodes, samples with their labels and
 * synthetic leaf frames, sleepers, the ends of the process, comments.
 *
 * Third pass of rp_store_read; see store.h for what a profile holds.
 */
#include <stdio.h>
#include <string.h>

#include "store_reader.h"

#define NS_PER_SECOND 1000000000u

enum { EXTRA_LABELS = 5, /* thread, thread_seq, %pid, %GVL, %GC */ MODE_WALL = 1 };

/* The leaf frame and the label of a state. */
static const struct {
    const char *frame, *file, *key, *value;
} states[RP_STATE_N] = {
    [RP_STATE_GVL_BLOCKED] = {"[GVL blocked]", "<GVL>", "%GVL", "blocked"},
    [RP_STATE_GVL_WAIT] = {"[GVL wait]", "<GVL>", "%GVL", "wait"},
    [RP_STATE_GC_MARK] = {"[GC marking]", "<GC>", "%GC", "mark"},
    [RP_STATE_GC_SWEEP] = {"[GC sweeping]", "<GC>", "%GC", "sweep"},
    [RP_STATE_PROCESS_START] = {"[process start]", "<process>", NULL, NULL},
    [RP_STATE_VM_SHUTDOWN] = {"[VM shutdown]", "<process>", NULL, NULL},
};

static uint64_t load(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

static int64_t to_signed(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static int is_wall(const struct rp_reader *r)
{
    return r->header->mode == MODE_WALL;
}

static int has_ended(const struct rp_reader *r)
{
    return atomic_load_explicit(&r->header->end, memory_order_relaxed) == RP_END_NORMAL;
}

/* Where the time of a process that did not end by itself is taken to end. */
static uint64_t until_ns(const struct rp_reader *r)
{
    return r->options.until_mono_ns != 0 ? r->options.until_mono_ns
                                         : load(&r->header->updated_mono_ns);
}

/* ---- frames and nodes ---- */

static uint32_t named_frame(struct rp_reader *r, uint32_t *cache, const char *name,
                            const char *file)
{
    if (*cache == RP_UNSET) {
        struct rp_profile *p = r->p;
        *cache = rp_profile_frame(
            p, rp_profile_function(p, rp_profile_cstring(p, name), rp_profile_cstring(p, file), 0),
            0);
    }
    return *cache;
}

static uint32_t profile_function(struct rp_reader *r, uint32_t id)
{
    struct rp_read_function *f = rp_reader_function(r, id);
    if (f != NULL) {
        if (f->function == RP_UNSET) {
            f->function = rp_profile_function(r->p, f->name, f->file, f->start_line);
        }
        return f->function;
    }
    if (r->unnamed_function == RP_UNSET) {
        r->unnamed_function =
            rp_profile_function(r->p, rp_profile_cstring(r->p, "[not named]"), 0, 0);
    }
    return r->unnamed_function;
}

static int make_node(struct rp_reader *r, size_t offset, const struct rp_record_node *n)
{
    uint32_t parent = 0;
    if (n->parent != 0 && rp_reader_ref(r, offset, n->parent, RP_RECORD_NODE, &parent) != 0) {
        return -1;
    }
    uint32_t frame = rp_profile_frame(r->p, profile_function(r, n->function), n->line);
    return rp_reader_mean(r, offset, RP_RECORD_NODE, rp_profile_node(r->p, parent, frame));
}

/* In cpu mode the time without the GVL is CPU of the stack that released it: no state of its own.
 */
static uint32_t shown_state(const struct rp_reader *r, uint32_t state)
{
    int gvl = state == RP_STATE_GVL_BLOCKED || state == RP_STATE_GVL_WAIT;
    return gvl && !is_wall(r) ? RP_STATE_RUNNING : state;
}

/* The node with the leaves that tell its state, that it was cut, or that nothing is known. */
static uint32_t leaf_node(struct rp_reader *r, uint32_t node, uint32_t state, int truncated)
{
    if (truncated) {
        node = rp_profile_node(r->p, node,
                               named_frame(r, &r->truncated_frame, "[truncated]", "<rperf>"));
    }
    if (states[state].frame != NULL) {
        node = rp_profile_node(
            r->p, node,
            named_frame(r, &r->state_frames[state], states[state].frame, states[state].file));
    }
    if (node == 0) {
        node = rp_profile_node(r->p, 0, named_frame(r, &r->unknown_frame, "[unknown]", "<rperf>"));
    }
    return node;
}

/* ---- labels ---- */

static void put_text(struct rp_reader *r, struct rp_label *l, const char *key, const char *value)
{
    *l = (struct rp_label){.key = rp_profile_cstring(r->p, key),
                           .str = rp_profile_cstring(r->p, value)};
}

/* The labels that the program gave; the number of them. */
static uint32_t put_own(struct rp_reader *r, struct rp_label *labels, uint32_t label_set)
{
    const struct rp_record_label_set *set =
        (const void *)(r->base + (size_t)label_set * RP_STORE_UNIT);
    uint32_t n = 0;

    for (; n < set->n && n < RP_LABELS_MAX; n++) {
        uint32_t key = 0, value = 0;
        size_t offset = (size_t)label_set * RP_STORE_UNIT;
        if (set->pairs[n].key != 0) {
            rp_reader_ref(r, offset, set->pairs[n].key, RP_RECORD_STRING, &key);
        }
        if (set->pairs[n].value != 0) {
            rp_reader_ref(r, offset, set->pairs[n].value, RP_RECORD_STRING, &value);
        }
        labels[n] = (struct rp_label){.key = key, .str = value};
    }
    return n;
}

/* The label set of the profile for a thread (index + 1, 0: none), its own labels and a state. */
static uint32_t make_labels(struct rp_reader *r, uint32_t thread, uint32_t label_set,
                            uint32_t state)
{
    struct rp_label labels[RP_LABELS_MAX + EXTRA_LABELS];
    uint32_t n = label_set == 0 ? 0 : put_own(r, labels, label_set);
    char pid[16];

    snprintf(pid, sizeof(pid), "%d", (int)r->header->pid);
    put_text(r, &labels[n++], "%pid", pid);
    if (thread != 0) {
        const struct rp_read_thread *t = &r->threads[thread - 1];
        if (t->name != 0) {
            labels[n++] =
                (struct rp_label){.key = rp_profile_cstring(r->p, "thread"), .str = t->name};
        }
        labels[n++] =
            (struct rp_label){.key = rp_profile_cstring(r->p, "thread_seq"), .num = t->record->seq};
    }
    if (states[state].key != NULL) {
        put_text(r, &labels[n++], states[state].key, states[state].value);
    }
    return rp_profile_label_set(r->p, labels, n);
}

/* ---- samples ---- */

static void add_sample(struct rp_reader *r, uint32_t node, uint32_t label_set, uint64_t count,
                       uint64_t cpu_ns, uint64_t wall_ns)
{
    int64_t values[] = {to_signed(count), to_signed(cpu_ns), to_signed(wall_ns)};
    r->samples += count;
    rp_profile_add(r->p, node, label_set, values);
}

static int add_counter(struct rp_reader *r, size_t offset, const struct rp_record_counter *c)
{
    uint32_t node = 0, index;
    if (c->node != 0 && rp_reader_ref(r, offset, c->node, RP_RECORD_NODE, &node) != 0) {
        return -1;
    }
    if (rp_reader_ref(r, offset, c->context, RP_RECORD_CONTEXT, &index) != 0) {
        return -1;
    }
    uint64_t count = load(&c->count), cpu_ns = load(&c->cpu_ns), wall_ns = load(&c->wall_ns);
    if (count == 0 && cpu_ns == 0 && wall_ns == 0) {
        return 0; /* a reserve that was not needed, or just made */
    }
    struct rp_read_context *in = &r->contexts[index];
    uint32_t state = shown_state(r, in->state);
    if (in->profile_set == RP_UNSET) {
        in->profile_set = make_labels(r, in->thread, in->label_set, state);
    }
    add_sample(r, leaf_node(r, node, state, in->truncated), in->profile_set, count, cpu_ns,
               wall_ns);
    return 0;
}

static int fill_record(struct rp_reader *r, size_t offset, const void *record)
{
    uint32_t head;
    memcpy(&head, record, sizeof(head));
    if (rp_record_type(head) == RP_RECORD_NODE) {
        return make_node(r, offset, record);
    }
    if (rp_record_type(head) == RP_RECORD_COUNTER) {
        return add_counter(r, offset, record);
    }
    return 0;
}

/* What a state word refers to, 0 when that is nothing we know (the words move while we read). */
static uint32_t live_ref(const struct rp_reader *r, uint32_t ref, enum rp_record_type type,
                         uint32_t *value)
{
    struct rp_reader quiet = {.base = r->base, .meaning = r->meaning};
    *value = 0;
    return ref != 0 && rp_reader_ref(&quiet, r->end, ref, type, value) == 0 ? ref : 0;
}

/* The time of a thread in its present state up to the reader's now, which nobody has added yet. */
static void add_sleeper(struct rp_reader *r, uint32_t index)
{
    const struct rp_read_thread *t = &r->threads[index];
    uint64_t until = until_ns(r);
    int sleeps = t->state == RP_STATE_GVL_BLOCKED || t->state == RP_STATE_GVL_WAIT;

    if (!sleeps && t->state != RP_STATE_RUNNING) {
        return;
    }
    if (load(&t->record->version) != t->version) {
        return; /* it went on since: the counters may have that time */
    }
    uint64_t wall_ns = until > t->since_mono_ns ? until - t->since_mono_ns : 0;
    if (sleeps) {
        wall_ns += t->owed_ns;
    }
    if (wall_ns == 0) {
        return;
    }
    uint32_t node, unused;
    live_ref(r, t->node, RP_RECORD_NODE, &node);
    uint32_t label_set = live_ref(r, t->label_set, RP_RECORD_LABEL_SET, &unused);
    add_sample(r, leaf_node(r, node, t->state, 0), make_labels(r, index + 1, label_set, t->state),
               1, 0, wall_ns);
}

/* What belongs to the process and to no thread. */
static void add_process(struct rp_reader *r)
{
    const struct rp_store_header *h = r->header;
    uint32_t labels = make_labels(r, 0, 0, RP_STATE_RUNNING);
    uint64_t unsampled_ns = load(&h->unsampled_ns);
    uint64_t exit_cpu_ns = r->options.exit_cpu_ns;

    if (h->start_cpu_ns > 0) {
        add_sample(r, leaf_node(r, 0, RP_STATE_PROCESS_START, 0), labels, 1, h->start_cpu_ns, 0);
    }
    if (exit_cpu_ns == 0) {
        exit_cpu_ns = load(&h->exit_cpu_ns);
    }
    if (has_ended(r) && exit_cpu_ns > load(&h->end_cpu_ns)) {
        add_sample(r, leaf_node(r, 0, RP_STATE_VM_SHUTDOWN, 0), labels, 1,
                   exit_cpu_ns - load(&h->end_cpu_ns), 0);
    }
    if (unsampled_ns > 0) {
        add_sample(r, leaf_node(r, 0, RP_STATE_RUNNING, 0), labels, 1,
                   is_wall(r) ? 0 : unsampled_ns, is_wall(r) ? unsampled_ns : 0);
    }
}

/* ---- facts and comments ---- */

/* The time span of the profile: from the first start to the last end. */
static void set_times(struct rp_reader *r)
{
    const struct rp_store_header *h = r->header;
    struct rp_profile *p = r->p;
    uint64_t end = has_ended(r) ? load(&h->end_mono_ns) : until_ns(r);
    int64_t start = to_signed(h->start_real_ns);
    int64_t duration = end > h->start_mono_ns ? to_signed(end - h->start_mono_ns) : 0;
    int64_t stop, known_stop;

    if (__builtin_add_overflow(start, duration, &stop)) {
        stop = INT64_MAX;
    }
    if (p->time_ns == 0) {
        p->time_ns = start;
        p->duration_ns = stop - start;
        return;
    }
    if (__builtin_add_overflow(p->time_ns, p->duration_ns, &known_stop)) {
        known_stop = INT64_MAX;
    }
    p->time_ns = start < p->time_ns ? start : p->time_ns;
    p->duration_ns = (stop > known_stop ? stop : known_stop) - p->time_ns;
}

static void note_count(struct rp_reader *r, const char *what, uint64_t n)
{
    if (n > 0) {
        rp_profile_comment(r->p, "%s%s: %llu", r->prefix, what, (unsigned long long)n);
    }
}

static void note_time(struct rp_reader *r, const char *what, uint64_t ns)
{
    rp_profile_comment(r->p, "%s%s: %.1f ms", r->prefix, what, (double)ns / 1e6);
}

static void note_counters(struct rp_reader *r)
{
    const struct rp_store_header *h = r->header;

    rp_profile_comment(r->p, "%sticks: %llu", r->prefix, (unsigned long long)load(&h->ticks));
    rp_profile_comment(r->p, "%ssamples: %llu", r->prefix, (unsigned long long)r->samples);
    note_time(r, "sampling time", load(&h->sampling_time_ns));
    note_count(r, "late ticks", load(&h->late_ticks));
    note_count(r, "throttled ticks", load(&h->throttled_ticks));
    note_count(r, "ring full", load(&h->ring_full));
    note_count(r, "contended", load(&h->contended));
    if (load(&h->carried_ns) > 0) {
        note_time(r, "carried", load(&h->carried_ns));
    }
    if (load(&h->unsampled_ns) > 0) {
        note_time(r, "without a stack", load(&h->unsampled_ns));
    }
    note_count(r, "truncated", load(&h->truncated));
    note_count(r, "unnamed", load(&h->unnamed));
    if (!has_ended(r)) {
        rp_profile_comment(r->p, "%sended: killed or still running", r->prefix);
    }
}

/* The first store of a profile says what all of them have in common. */
static void begin_fresh(struct rp_reader *r)
{
    const struct rp_store_header *h = r->header;
    struct rp_profile *p = r->p;
    const char *mode = is_wall(r) ? "wall" : "cpu";

    rp_profile_add_type(p, "samples", "count");
    p->default_type = rp_profile_add_type(p, "cpu", "nanoseconds");
    if (is_wall(r)) {
        p->default_type = rp_profile_add_type(p, "wall", "nanoseconds");
    }
    p->mode = rp_profile_cstring(p, mode);
    p->frequency_hz = h->frequency_hz;
    p->period_type.type = rp_profile_cstring(p, mode);
    p->period_type.unit = rp_profile_cstring(p, "nanoseconds");
    p->period = h->frequency_hz == 0 ? 0 : NS_PER_SECOND / h->frequency_hz;
    p->doc_url = rp_profile_cstring(p, RP_DOC_URL);
    rp_profile_comment(p, "rperf %s", RP_VERSION);
    rp_profile_comment(p, "mode: %s", mode);
    rp_profile_comment(p, "frequency: %uHz", h->frequency_hz);
}

int rp_reader_begin_profile(struct rp_reader *r)
{
    struct rp_profile *p = r->p;

    if (r->options.several) {
        snprintf(r->prefix, sizeof(r->prefix), "process %d: ", (int)r->header->pid);
    }
    if (p->n_types == 0) {
        begin_fresh(r);
    } else if (p->n_types != (is_wall(r) ? 3u : 2u)) {
        return rp_error_set(r->err, 0,
                            "offset %zu: mode %s, but the profile has another one already",
                            offsetof(struct rp_store_header, mode), is_wall(r) ? "wall" : "cpu");
    }
    if (!r->header->aggregate) {
        p->keep_apart = 1;
    }
    return 0;
}

int rp_reader_fill_profile(struct rp_reader *r)
{
    struct rp_profile *p = r->p;

    r->unnamed_function = r->truncated_frame = r->unknown_frame = RP_UNSET;
    for (int i = 0; i < RP_STATE_N; i++) {
        r->state_frames[i] = RP_UNSET;
    }
    if (rp_reader_walk(r, RP_STORE_HEADER_BYTES, fill_record) != 0) {
        return -1;
    }
    if (is_wall(r) && !has_ended(r)) {
        for (size_t i = 0; i < r->n_threads; i++) {
            add_sleeper(r, (uint32_t)i);
        }
    }
    add_process(r);
    set_times(r);
    p->sampling_count += load(&r->header->stacks);
    p->sampling_time_ns += load(&r->header->sampling_time_ns);
    note_counters(r);
    return 0;
}
