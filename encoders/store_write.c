/*
 * store_write.c - the writer of a store: what the collector tells becomes records and weights.
 *
 * Called by the collector thread alone: no locks, no signals, no VM; after the first samples no
 * allocation and no system call but for growth. The counters of the last resort, one a state, are
 * there from the beginning: no weight is ever lost.
 */
#include "store.h"

#include <errno.h>
#include <string.h>

#include "store_log.h"

/* Ancestors looked at for a counter that takes a folded stack. */
enum { MAX_FOLD_DEPTH = 64 };

struct rp_store_writer {
    struct rp_store_log log;
    uint32_t overflow[RP_STATE_N]; /* counters of the last resort */
    uint32_t aggregate;
};

/* ---- making and closing ---- */

static void write_header(struct rp_store_writer *w, const struct rp_store_config *c)
{
    struct rp_store_header *h = w->log.header;
    h->header_bytes = RP_STORE_HEADER_BYTES;
    h->byte_order = RP_STORE_BYTE_ORDER;
    h->pid = c->pid;
    h->ppid = c->ppid;
    h->pid_start_ticks = c->pid_start_ticks;
    h->start_real_ns = c->start_real_ns;
    h->start_mono_ns = c->start_mono_ns;
    h->start_cpu_ns = c->start_cpu_ns;
    h->mode = c->mode;
    h->frequency_hz = c->frequency_hz;
    h->aggregate = c->aggregate;
    h->lines = c->lines;
    h->max_bytes = w->log.map.size;
    atomic_store_explicit(&h->updated_mono_ns, c->start_mono_ns, memory_order_relaxed);
}

/* Comes last, so that a file without it is known to be unfinished. */
static void publish_magic(struct rp_store_header *h)
{
    uint64_t magic;
    memcpy(&magic, RP_STORE_MAGIC, sizeof(magic));
    atomic_store_explicit((_Atomic uint64_t *)(void *)h->magic, magic, memory_order_release);
}

static uint32_t context(struct rp_store_writer *w, uint32_t thread, uint32_t label_set,
                        enum rp_state state, int truncated, enum rp_priority priority)
{
    struct rp_record_context c = {
        .head = RP_RECORD_HEAD(RP_RECORD_CONTEXT, sizeof(c)),
        .thread = thread,
        .label_set = label_set,
        .state = (uint8_t)state,
        .truncated = (uint8_t)truncated,
    };
    return rp_store_log_intern(&w->log, &c, sizeof(c), sizeof(c), priority);
}

static struct rp_record_counter new_counter(uint32_t node, uint32_t in_context)
{
    return (struct rp_record_counter){
        .head = RP_RECORD_HEAD(RP_RECORD_COUNTER, sizeof(struct rp_record_counter)),
        .node = node,
        .context = in_context,
    };
}

/* The counter of a stack in a context; its reference or 0. */
static uint32_t counter(struct rp_store_writer *w, uint32_t node, uint32_t in_context,
                        enum rp_priority priority)
{
    struct rp_record_counter c = new_counter(node, in_context);
    return rp_store_log_intern(&w->log, &c, sizeof(c), offsetof(struct rp_record_counter, count),
                               priority);
}

/* The counters of the last resort; the first piece of any store has room for them. */
static void make_overflow(struct rp_store_writer *w)
{
    for (int state = 0; state < RP_STATE_N; state++) {
        uint32_t c = context(w, 0, 0, (enum rp_state)state, 1, RP_PRIORITY_LAST);
        w->overflow[state] = counter(w, 0, c, RP_PRIORITY_LAST);
    }
}

struct rp_store_writer *rp_store_create(const struct rp_store_config *config, struct rp_error *err)
{
    struct rp_store_writer *w = rp_store_private_alloc(sizeof(*w));
    if (w == NULL) {
        rp_error_set(err, ENOMEM, "no store: cannot map memory for its writer");
        return NULL;
    }
    if (rp_store_log_open(&w->log, config->fd, config->max_bytes, err) != 0) {
        rp_store_private_free(w, sizeof(*w));
        return NULL;
    }
    w->aggregate = config->aggregate;
    write_header(w, config);
    make_overflow(w);
    publish_magic(w->log.header);
    return w;
}

void rp_store_close(struct rp_store_writer *w)
{
    rp_store_log_close(&w->log);
    rp_store_private_free(w, sizeof(*w));
}

struct rp_store_header *rp_store_writer_header(struct rp_store_writer *w)
{
    return w->log.header;
}

size_t rp_store_writer_bytes(const struct rp_store_writer *w)
{
    return w->log.map.size;
}

/* ---- facts, names, stacks, labels ---- */

void rp_store_meta(struct rp_store_writer *w, const char *key, const char *value, size_t value_len)
{
    struct rp_record_meta m = {.head = RP_RECORD_HEAD(RP_RECORD_META, sizeof(m))};
    if (rp_store_log_string(&w->log, key, strlen(key), RP_PRIORITY_NAME, &m.key) == 0 &&
        rp_store_log_string(&w->log, value, value_len, RP_PRIORITY_NAME, &m.value) == 0) {
        rp_store_log_append(&w->log, &m, sizeof(m), RP_PRIORITY_NAME);
    }
}

void rp_store_function(struct rp_store_writer *w, uint32_t id, const char *name, size_t name_len,
                       const char *file, size_t file_len, int32_t start_line)
{
    struct rp_record_function f = {
        .head = RP_RECORD_HEAD(RP_RECORD_FUNCTION, sizeof(f)),
        .id = id,
        .start_line = start_line,
    };
    if (id != 0 && id <= RP_FUNCTION_MAX &&
        rp_store_log_string(&w->log, name, name_len, RP_PRIORITY_NAME, &f.name) == 0 &&
        rp_store_log_string(&w->log, file, file_len, RP_PRIORITY_NAME, &f.file) == 0) {
        rp_store_log_append(&w->log, &f, sizeof(f), RP_PRIORITY_NAME);
    }
}

uint32_t rp_store_node(struct rp_store_writer *w, uint32_t parent, uint32_t function, int32_t line)
{
    struct rp_record_node n = {
        .head = RP_RECORD_HEAD(RP_RECORD_NODE, sizeof(n)),
        .parent = parent,
        .function = function,
        .line = line,
    };
    uint32_t ref = rp_store_log_intern(&w->log, &n, sizeof(n), sizeof(n), RP_PRIORITY_DETAIL);
    return ref == 0 ? RP_STORE_NO_NODE : ref;
}

/* Inserts a pair in the order of keys; of two values of one key the later one counts. */
static uint32_t insert_pair(uint32_t (*pairs)[2], uint32_t n, uint32_t key, uint32_t value)
{
    uint32_t at = n;
    while (at > 0 && pairs[at - 1][0] > key) {
        at--;
    }
    if (at > 0 && pairs[at - 1][0] == key) {
        pairs[at - 1][1] = value;
        return n;
    }
    memmove(pairs + at + 1, pairs + at, (n - at) * sizeof(*pairs));
    pairs[at][0] = key;
    pairs[at][1] = value;
    return n + 1;
}

uint32_t rp_store_label_set(struct rp_store_writer *w, const struct rp_store_label *labels,
                            uint32_t n)
{
    struct {
        uint32_t head, n;
        uint32_t pairs[RP_LABELS_MAX][2];
    } r = {0};

    for (uint32_t i = 0; i < n && r.n < RP_LABELS_MAX; i++) {
        uint32_t key, value;
        const struct rp_store_label *l = &labels[i];
        if (rp_store_log_string(&w->log, l->key, strlen(l->key), RP_PRIORITY_DETAIL, &key) != 0 ||
            rp_store_log_string(&w->log, l->value, strlen(l->value), RP_PRIORITY_DETAIL, &value) !=
                0) {
            return 0;
        }
        r.n = insert_pair(r.pairs, r.n, key, value);
    }
    if (r.n == 0) {
        return 0;
    }
    size_t bytes = sizeof(struct rp_record_label_set) + r.n * sizeof(*r.pairs);
    r.head = RP_RECORD_HEAD(RP_RECORD_LABEL_SET, bytes);
    return rp_store_log_intern(&w->log, &r, bytes, bytes, RP_PRIORITY_DETAIL);
}

/* ---- threads ---- */

uint32_t rp_store_thread(struct rp_store_writer *w, uint32_t seq, uint64_t born_mono_ns)
{
    struct rp_record_thread t = {
        .head = RP_RECORD_HEAD(RP_RECORD_THREAD, sizeof(t)),
        .seq = seq,
        .born_mono_ns = born_mono_ns,
        .now[0].state_and_owed_ns = (uint64_t)RP_STATE_NONE << RP_OWED_BITS,
    };
    return rp_store_log_append(&w->log, &t, sizeof(t), RP_PRIORITY_FOLDED);
}

void rp_store_thread_name(struct rp_store_writer *w, uint32_t thread, const char *name, size_t len)
{
    struct rp_record_thread_name n = {
        .head = RP_RECORD_HEAD(RP_RECORD_THREAD_NAME, sizeof(n)),
        .thread = thread,
    };
    if (thread != 0 && rp_store_log_string(&w->log, name, len, RP_PRIORITY_NAME, &n.name) == 0) {
        rp_store_log_append(&w->log, &n, sizeof(n), RP_PRIORITY_NAME);
    }
}

void rp_store_thread_state(struct rp_store_writer *w, uint32_t thread, enum rp_state state,
                           uint64_t since_mono_ns, uint64_t owed_ns, uint32_t node,
                           uint32_t label_set)
{
    if (thread == 0) {
        return;
    }
    struct rp_record_thread *t = rp_store_log_at(&w->log, thread);
    uint64_t version = atomic_load_explicit(&t->version, memory_order_relaxed) + 1;
    struct rp_thread_now *now = &t->now[version & 1];
    uint64_t owed = owed_ns < UINT64_C(1) << RP_OWED_BITS ? owed_ns : 0;

    /* released: who sees a word of this copy sees that the version before had left it */
    atomic_store_explicit(&now->since_mono_ns, since_mono_ns, memory_order_release);
    atomic_store_explicit(&now->state_and_owed_ns, (uint64_t)state << RP_OWED_BITS | owed,
                          memory_order_release);
    atomic_store_explicit(&now->node_and_label_set,
                          (uint64_t)(node == RP_STORE_NO_NODE ? 0 : node) << 32 | label_set,
                          memory_order_release);
    atomic_store_explicit(&t->version, version, memory_order_release);
}

/* ---- weights ---- */

/* A counter of the nearest ancestor that has one in this context; 0: none near. */
static uint32_t ancestor_counter(struct rp_store_writer *w, uint32_t node, uint32_t in_context)
{
    for (int depth = 0; node != 0 && depth < MAX_FOLD_DEPTH; depth++) {
        const struct rp_record_node *n = rp_store_log_at(&w->log, node);
        node = n->parent;
        uint32_t ref = counter(w, node, in_context, RP_PRIORITY_FIND_ONLY);
        if (ref != 0) {
            return ref;
        }
    }
    return 0;
}

/* The counter for a stack that goes on beyond node, or for which no counter of its own is left. */
static uint32_t folded_counter(struct rp_store_writer *w, uint32_t node, uint32_t thread,
                               uint32_t label_set, enum rp_state state)
{
    uint32_t ref = 0;
    uint32_t in = context(w, thread, label_set, state, 1, RP_PRIORITY_FOLDED);
    if (in != 0) {
        ref = counter(w, node, in, RP_PRIORITY_FOLDED);
        if (ref == 0) {
            ref = ancestor_counter(w, node, in);
        }
    }
    if (ref == 0) {
        in = context(w, thread, 0, state, 1, RP_PRIORITY_LAST);
        ref = in == 0 ? 0 : counter(w, 0, in, RP_PRIORITY_LAST);
    }
    return ref != 0 ? ref : w->overflow[state];
}

/* The counter of its own for a whole stack, a new one each time without aggregation; 0: no room. */
static uint32_t own_counter(struct rp_store_writer *w, uint32_t node, uint32_t thread,
                            uint32_t label_set, enum rp_state state)
{
    uint32_t in = context(w, thread, label_set, state, 0, RP_PRIORITY_DETAIL);
    if (in == 0) {
        return 0;
    }
    if (w->aggregate) {
        return counter(w, node, in, RP_PRIORITY_DETAIL);
    }
    struct rp_record_counter c = new_counter(node, in);
    return rp_store_log_append(&w->log, &c, sizeof(c), RP_PRIORITY_DETAIL);
}

void rp_store_add(struct rp_store_writer *w, uint32_t node, int truncated, uint32_t thread,
                  uint32_t label_set, enum rp_state state, uint64_t count, uint64_t cpu_ns,
                  uint64_t wall_ns)
{
    if (node == RP_STORE_NO_NODE) {
        node = 0;
        truncated = 1;
    }
    w->log.adds++;
    uint32_t ref = truncated ? 0 : own_counter(w, node, thread, label_set, state);
    if (ref == 0) {
        ref = folded_counter(w, node, thread, label_set, state);
        rp_store_bump(&w->log.header->truncated, count);
    }
    struct rp_record_counter *c = rp_store_log_at(&w->log, ref);
    rp_store_bump(&c->count, count);
    rp_store_bump(&c->cpu_ns, cpu_ns);
    rp_store_bump(&c->wall_ns, wall_ns);
}
