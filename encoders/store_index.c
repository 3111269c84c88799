/*
 * store_index.c - second pass over a store: strings, names, threads and contexts go into tables, so
 * that store_profile.c finds them all when it comes to the stacks.
 *
 * Every reference is checked here or by rp_reader_ref.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "store_reader.h"

static uint32_t head_of(const void *record)
{
    uint32_t head;
    memcpy(&head, record, sizeof(head));
    return head;
}

/* The profile's string for a reference; 0 is "". */
static int string_ref(const struct rp_reader *r, size_t offset, uint32_t ref, uint32_t *string)
{
    *string = 0;
    return ref == 0 ? 0 : rp_reader_ref(r, offset, ref, RP_RECORD_STRING, string);
}

static int index_string(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_string *s = record;
    size_t most = rp_record_bytes(s->head) - sizeof(*s);
    size_t len = s->len < most ? s->len : most;
    return rp_reader_mean(r, offset, RP_RECORD_STRING, rp_profile_string(r->p, s->bytes, len));
}

static int index_label_set(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_label_set *set = record;
    for (uint32_t i = 0; i < set->n && i < RP_LABELS_MAX; i++) {
        uint32_t unused;
        if (string_ref(r, offset, set->pairs[i].key, &unused) != 0 ||
            string_ref(r, offset, set->pairs[i].value, &unused) != 0) {
            return -1;
        }
    }
    return rp_reader_mean(r, offset, RP_RECORD_LABEL_SET, 0);
}

static uint32_t *function_slot(const struct rp_reader *r, uint32_t id)
{
    size_t mask = r->max_slots - 1;
    size_t i = (size_t)rp_hash_mix(id, 0) & mask;
    while (r->function_slots[i] != 0 && r->functions[r->function_slots[i] - 1].id != id) {
        i = (i + 1) & mask;
    }
    return &r->function_slots[i];
}

struct rp_read_function *rp_reader_function(const struct rp_reader *r, uint32_t id)
{
    uint32_t slot = *function_slot(r, id);
    return slot == 0 ? NULL : &r->functions[slot - 1];
}

static int index_function(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_function *f = record;
    struct rp_read_function named = {
        .id = f->id, .start_line = f->start_line, .function = RP_UNSET};

    if (named.id == 0 || named.id > RP_FUNCTION_MAX || r->n_functions == r->max_functions) {
        return rp_error_set(r->err, 0, "offset %zu: function id %u is out of range", offset,
                            named.id);
    }
    if (string_ref(r, offset, f->name, &named.name) != 0 ||
        string_ref(r, offset, f->file, &named.file) != 0) {
        return -1;
    }
    r->functions[r->n_functions++] = named;
    *function_slot(r, named.id) = (uint32_t)r->n_functions; /* the last name of an id counts */
    return 0;
}

static int index_thread_name(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_thread_name *n = record;
    uint32_t thread, name;
    if (rp_reader_ref(r, offset, n->thread, RP_RECORD_THREAD, &thread) != 0 ||
        string_ref(r, offset, n->name, &name) != 0) {
        return -1;
    }
    r->threads[thread].name = name;
    return 0;
}

static int index_context(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_context *c = record;
    struct rp_read_context known = {
        .label_set = c->label_set,
        .profile_set = RP_UNSET,
        .state = c->state,
        .truncated = c->truncated != 0,
    };
    uint32_t thread, unused;

    if (known.state >= RP_STATE_N || r->n_contexts == r->max_contexts) {
        return rp_error_set(r->err, 0, "offset %zu: context of unknown state %u", offset,
                            known.state);
    }
    if (c->thread != 0) {
        if (rp_reader_ref(r, offset, c->thread, RP_RECORD_THREAD, &thread) != 0) {
            return -1;
        }
        known.thread = thread + 1;
    }
    if (known.label_set != 0 &&
        rp_reader_ref(r, offset, known.label_set, RP_RECORD_LABEL_SET, &unused) != 0) {
        return -1;
    }
    r->contexts[r->n_contexts] = known;
    return rp_reader_mean(r, offset, RP_RECORD_CONTEXT, (uint32_t)r->n_contexts++);
}

static int index_meta(struct rp_reader *r, size_t offset, const void *record)
{
    const struct rp_record_meta *m = record;
    uint32_t key, value;
    if (string_ref(r, offset, m->key, &key) != 0 || string_ref(r, offset, m->value, &value) != 0) {
        return -1;
    }
    rp_profile_comment(r->p, "%s%s: %s", r->prefix, rp_profile_str(r->p, key, NULL),
                       rp_profile_str(r->p, value, NULL));
    return 0;
}

static int index_record(struct rp_reader *r, size_t offset, const void *record)
{
    switch (rp_record_type(head_of(record))) {
    case RP_RECORD_STRING:
        return index_string(r, offset, record);
    case RP_RECORD_LABEL_SET:
        return index_label_set(r, offset, record);
    case RP_RECORD_FUNCTION:
        return index_function(r, offset, record);
    case RP_RECORD_THREAD_NAME:
        return index_thread_name(r, offset, record);
    case RP_RECORD_CONTEXT:
        return index_context(r, offset, record);
    case RP_RECORD_META:
        return index_meta(r, offset, record);
    default: /* threads are known; nodes and counters come when all names are */
        return 0;
    }
}

int rp_reader_begin_index(struct rp_reader *r)
{
    size_t units = rp_reader_unit(r->end);
    r->max_slots = 4;
    while (r->max_slots < r->max_functions * 2) {
        r->max_slots *= 2;
    }
    r->meaning = calloc(units + 1, sizeof(*r->meaning));
    r->functions = calloc(r->max_functions + 1, sizeof(*r->functions));
    r->function_slots = calloc(r->max_slots, sizeof(*r->function_slots));
    r->contexts = calloc(r->max_contexts + 1, sizeof(*r->contexts));
    if (r->meaning == NULL || r->functions == NULL || r->function_slots == NULL ||
        r->contexts == NULL) {
        return rp_reader_no_memory(r);
    }
    for (size_t i = 0; i < r->n_threads; i++) {
        size_t offset = (size_t)((const char *)r->threads[i].record - r->base);
        if (rp_reader_mean(r, offset, RP_RECORD_THREAD, (uint32_t)i) != 0) {
            return -1;
        }
    }
    return 0;
}

int rp_reader_index(struct rp_reader *r)
{
    return rp_reader_walk(r, RP_STORE_HEADER_BYTES, index_record);
}
