/*
 * store_read.c - reads a store that nobody vouches for: finds its records, checks every size and
 * reference.
 *
 * Any process, any thread; the store may be growing under its reader's eyes. Memory is bounded by
 * the size of the file: nothing is allocated by a number that the file claims. References point
 * backwards only, so there is no recursion and no cycle.
 */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_reader.h"

static const struct {
    const char *name;
    size_t bytes; /* exactly, or at least where the size varies */
} kinds[RP_RECORD_N] = {
    [RP_RECORD_STRING] = {"string", sizeof(struct rp_record_string)},
    [RP_RECORD_LABEL_SET] = {"label set", sizeof(struct rp_record_label_set)},
    [RP_RECORD_FUNCTION] = {"function", sizeof(struct rp_record_function)},
    [RP_RECORD_NODE] = {"node", sizeof(struct rp_record_node)},
    [RP_RECORD_THREAD] = {"thread", sizeof(struct rp_record_thread)},
    [RP_RECORD_THREAD_NAME] = {"thread name", sizeof(struct rp_record_thread_name)},
    [RP_RECORD_CONTEXT] = {"context", sizeof(struct rp_record_context)},
    [RP_RECORD_COUNTER] = {"counter", sizeof(struct rp_record_counter)},
    [RP_RECORD_META] = {"meta", sizeof(struct rp_record_meta)},
};

/* ---- records ---- */

static uint32_t head_at(const struct rp_reader *r, size_t offset)
{
    uint32_t head;
    memcpy(&head, r->base + offset, sizeof(head));
    return head;
}

static size_t round_up(size_t bytes)
{
    return (bytes + RP_STORE_UNIT - 1) / RP_STORE_UNIT * RP_STORE_UNIT;
}

/* Whether the size of a record fits what it says it is. */
static int size_is_right(const struct rp_reader *r, size_t offset, uint32_t type, size_t bytes)
{
    uint32_t n;
    if (bytes < kinds[type].bytes) {
        return 0;
    }
    memcpy(&n, r->base + offset + sizeof(n), sizeof(n)); /* len of a string, n of a label set */
    if (type == RP_RECORD_STRING) {
        return bytes == round_up(sizeof(struct rp_record_string) + n);
    }
    if (type == RP_RECORD_LABEL_SET) {
        return n <= RP_LABELS_MAX && bytes == sizeof(struct rp_record_label_set) + n * 8u;
    }
    return bytes == kinds[type].bytes;
}

/* Checks the record at offset by itself; 0, or -1 with err. */
static int check_record(const struct rp_reader *r, size_t offset)
{
    uint32_t head = head_at(r, offset);
    uint32_t type = rp_record_type(head);
    size_t bytes = rp_record_bytes(head);

    if (type == 0 || type >= RP_RECORD_N) {
        return rp_error_set(r->err, 0, "offset %zu: record of unknown type %u", offset, type);
    }
    if (bytes > r->end - offset) {
        return rp_error_set(r->err, 0, "offset %zu: record of %zu bytes goes past the end", offset,
                            bytes);
    }
    if (!size_is_right(r, offset, type, bytes)) {
        return rp_error_set(r->err, 0, "offset %zu: %s record of %zu bytes has the wrong size",
                            offset, kinds[type].name, bytes);
    }
    return 0;
}

int rp_reader_walk(struct rp_reader *r, size_t from, rp_record_fn *fn)
{
    for (size_t offset = from; offset < r->end;) {
        if (check_record(r, offset) != 0) {
            return -1;
        }
        size_t bytes = rp_record_bytes(head_at(r, offset));
        if (bytes == 0 || bytes > r->end - offset) { /* memory that changes while we look */
            return rp_error_set(r->err, 0, "offset %zu: record changed while it was read", offset);
        }
        if (fn(r, offset, r->base + offset) != 0) {
            return -1;
        }
        offset += bytes;
    }
    return 0;
}

int rp_reader_ref(const struct rp_reader *r, size_t offset, uint32_t ref, enum rp_record_type type,
                  uint32_t *value)
{
    size_t at = (size_t)ref * RP_STORE_UNIT;
    if (at >= RP_STORE_HEADER_BYTES && at < offset) {
        uint32_t meaning = r->meaning[rp_reader_unit(at)];
        if (meaning >> RP_REF_VALUE_BITS == type) {
            *value = meaning & RP_REF_VALUE_MAX;
            return 0;
        }
    }
    return rp_error_set(r->err, 0, "offset %zu: refers to offset %zu, where no %s is", offset, at,
                        kinds[type].name);
}

int rp_reader_mean(struct rp_reader *r, size_t offset, enum rp_record_type type, uint32_t value)
{
    if (value > RP_REF_VALUE_MAX) {
        return rp_error_set(r->err, 0, "offset %zu: more %s records than can be read", offset,
                            kinds[type].name);
    }
    r->meaning[rp_reader_unit(offset)] = (uint32_t)type << RP_REF_VALUE_BITS | value;
    return 0;
}

int rp_reader_no_memory(const struct rp_reader *r)
{
    return rp_error_set(r->err, 0, "out of memory while reading the store");
}

/* ---- first pass: what is there, and what the threads do ---- */

/* Copies what the thread does; a thread that changes all the time counts as running no interval. */
static void read_now(struct rp_read_thread *t)
{
    const struct rp_record_thread *record = t->record;
    t->state = RP_STATE_NONE;
    t->version = atomic_load_explicit(&record->version, memory_order_acquire);

    const struct rp_thread_now *now = &record->now[t->version & 1];
    t->since_mono_ns = atomic_load_explicit(&now->since_mono_ns, memory_order_acquire);
    uint64_t state = atomic_load_explicit(&now->state_and_owed_ns, memory_order_acquire);
    uint64_t where = atomic_load_explicit(&now->node_and_label_set, memory_order_acquire);
    if (atomic_load_explicit(&record->version, memory_order_relaxed) != t->version) {
        return;
    }
    t->state = (uint32_t)(state >> RP_OWED_BITS);
    t->owed_ns = state & ((UINT64_C(1) << RP_OWED_BITS) - 1);
    t->node = (uint32_t)(where >> 32);
    t->label_set = (uint32_t)where;
}

static int survey_thread(struct rp_reader *r, const void *record)
{
    if (r->n_threads == r->max_threads) {
        size_t max = r->max_threads == 0 ? 64 : r->max_threads * 2;
        struct rp_read_thread *threads = realloc(r->threads, max * sizeof(*threads));
        if (threads == NULL) {
            return rp_reader_no_memory(r);
        }
        r->threads = threads;
        r->max_threads = max;
    }
    struct rp_read_thread *t = &r->threads[r->n_threads++];
    *t = (struct rp_read_thread){.record = record};
    read_now(t);
    return 0;
}

static int survey(struct rp_reader *r, size_t offset, const void *record)
{
    uint32_t type = rp_record_type(head_at(r, offset));
    if (type == RP_RECORD_THREAD) {
        return survey_thread(r, record);
    }
    if (type == RP_RECORD_FUNCTION) {
        r->max_functions++;
    }
    if (type == RP_RECORD_CONTEXT) {
        r->max_contexts++;
    }
    return 0;
}

/* The end of what is committed now; 0, or -1 with err: the file was cut. */
static int load_end(struct rp_reader *r, size_t size)
{
    uint64_t committed = atomic_load_explicit(&r->header->committed, memory_order_acquire);
    if (committed > size - RP_STORE_HEADER_BYTES) {
        return rp_error_set(r->err, 0,
                            "offset %zu: the file ends here, but %llu bytes of records are said to "
                            "follow the header",
                            size, (unsigned long long)committed);
    }
    if (committed % RP_STORE_UNIT != 0) {
        return rp_error_set(r->err, 0, "offset %zu: %llu bytes of records are not whole ones",
                            offsetof(struct rp_store_header, committed),
                            (unsigned long long)committed);
    }
    r->end = RP_STORE_HEADER_BYTES + (size_t)committed;
    return 0;
}

/*
 * Surveys the records. In a live store a thread's state may name a node that came after the first
 * look at committed, so a second look, after the states were read, takes these in.
 */
static int survey_all(struct rp_reader *r, size_t size)
{
    if (load_end(r, size) != 0 || rp_reader_walk(r, RP_STORE_HEADER_BYTES, survey) != 0) {
        return -1;
    }
    size_t first_end = r->end;
    if (load_end(r, size) != 0) {
        return -1;
    }
    if (r->end < first_end) {
        return rp_error_set(r->err, 0, "offset %zu: the store became shorter while it was read",
                            r->end);
    }
    return rp_reader_walk(r, first_end, survey);
}

/* ---- the whole ---- */

int rp_store_peek(const void *data, size_t size, const struct rp_store_header **header,
                  struct rp_error *err)
{
    const struct rp_store_header *h = data;
    if (size < RP_STORE_HEADER_BYTES) {
        return rp_error_set(err, 0, "offset %zu: the file ends within the header", size);
    }
    if ((uintptr_t)data % RP_STORE_UNIT != 0) {
        return rp_error_set(err, 0, "offset 0: the memory of the store is not aligned");
    }
    if (memcmp(h->magic, RP_STORE_MAGIC, sizeof(h->magic)) != 0) {
        return rp_error_set(err, 0, "offset 0: not a store of this version of rperf");
    }
    if (h->header_bytes != RP_STORE_HEADER_BYTES || h->byte_order != RP_STORE_BYTE_ORDER) {
        return rp_error_set(err, 0, "offset %zu: a store of another machine or version",
                            offsetof(struct rp_store_header, header_bytes));
    }
    if (h->mode > 1) {
        return rp_error_set(err, 0, "offset %zu: unknown mode %u",
                            offsetof(struct rp_store_header, mode), h->mode);
    }
    *header = h;
    return 0;
}

/* Reads up to size bytes from the start of fd; how many, or -1. */
static ssize_t read_start(int fd, char *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(fd, to + done, size - done, (off_t)done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        if (n == 0) {
            break;
        }
        done += (size_t)n;
    }
    return (ssize_t)done;
}

/* The bytes of a store by its header, no more than the file is long; 0: unreadable (err). */
static size_t load_size(int fd, uint64_t *committed, struct rp_error *err)
{
    _Alignas(8) char page[RP_STORE_HEADER_BYTES];
    const struct rp_store_header *h;
    struct stat st;
    ssize_t n = read_start(fd, page, sizeof(page));

    if (n < 0 || fstat(fd, &st) != 0) {
        rp_error_set(err, errno, "cannot read the store");
        return 0;
    }
    if (rp_store_peek(page, (size_t)n, &h, err) != 0) {
        return 0;
    }
    uint64_t most = st.st_size > (off_t)sizeof(page) ? (uint64_t)st.st_size : sizeof(page);
    *committed = atomic_load_explicit(&h->committed, memory_order_relaxed);
    return (size_t)(*committed < most - sizeof(page) ? *committed + sizeof(page) : most);
}

int rp_store_load(int fd, void **data, size_t *size, struct rp_error *err)
{
    uint64_t committed;
    size_t bytes = load_size(fd, &committed, err);
    if (bytes == 0) {
        return -1;
    }
    char *copy = malloc(bytes);
    if (copy == NULL) {
        return rp_error_set(err, 0, "out of memory while reading the store");
    }
    ssize_t n = read_start(fd, copy, bytes);
    if (n < (ssize_t)RP_STORE_HEADER_BYTES) {
        rp_error_set(err, errno, "cannot read the store");
        free(copy);
        return -1;
    }
    /* of a store that grew in between, the records of the first look */
    struct rp_store_header *h = (struct rp_store_header *)(void *)copy;
    atomic_store_explicit(&h->committed, committed, memory_order_relaxed);
    *data = copy;
    *size = (size_t)n;
    return 0;
}

static int read_all(struct rp_reader *r, size_t size)
{
    if (survey_all(r, size) != 0 || rp_reader_begin_index(r) != 0 ||
        rp_reader_begin_profile(r) != 0 || rp_reader_index(r) != 0 ||
        rp_reader_fill_profile(r) != 0) {
        return -1;
    }
    return r->p->oom ? rp_reader_no_memory(r) : 0;
}

int rp_store_read(const void *data, size_t size, const struct rp_store_read_options *options,
                  struct rp_profile *p, struct rp_error *err)
{
    struct rp_reader r = {.base = data, .p = p, .err = err};
    if (rp_store_peek(data, size, &r.header, err) != 0) {
        return -1;
    }
    if (options != NULL) {
        r.options = *options;
    }
    int result = read_all(&r, size);
    free(r.meaning);
    free(r.functions);
    free(r.function_slots);
    free(r.threads);
    free(r.contexts);
    return result;
}
