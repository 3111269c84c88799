/*
 * profile.c - the profile model: interning of functions, frames, stack nodes, label sets, samples.
 *
 * Interning works the same way for every array: the candidate is written behind the last element,
 * then looked up; an equal one that is there already wins, else the candidate is counted in.
 * Knows nothing of Ruby, of files, of formats.
 */
#include "profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clamp.h"
#include "hash.h"

enum { FIRST_CAPACITY = 64, FIRST_SLOTS = 128 };

#define MAX_ITEMS (UINT32_MAX / 4)

typedef uint64_t hash_fn(const struct rp_profile *p, uint32_t id);
typedef int same_fn(const struct rp_profile *p, uint32_t a, uint32_t b);

/* ---- arrays and indexes ---- */

/* Room for `need` items in *array; 0, or -1 with p->oom set. */
static int reserve(struct rp_profile *p, void *array, uint32_t *capacity, uint64_t need,
                   size_t item_bytes)
{
    if (need <= *capacity) {
        return 0;
    }
    void *old, *grown = NULL;
    uint32_t wanted = *capacity ? *capacity : FIRST_CAPACITY;
    while (wanted < need && wanted <= MAX_ITEMS) {
        wanted *= 2;
    }
    memcpy(&old, array, sizeof(old));
    if (need <= MAX_ITEMS) {
        grown = realloc(old, wanted * item_bytes);
    }
    if (!grown) {
        p->oom = 1;
        return -1;
    }
    memcpy(array, &grown, sizeof(grown));
    *capacity = wanted;
    return 0;
}

static int grow_index(const struct rp_profile *p, struct rp_index *index, hash_fn *hash)
{
    uint32_t capacity = index->capacity ? index->capacity * 2 : FIRST_SLOTS;
    uint32_t *slots = calloc(capacity, sizeof(*slots));

    if (!slots) {
        return -1;
    }
    for (uint32_t i = 0; i < index->capacity; i++) {
        if (index->slots[i]) {
            uint32_t to = (uint32_t)hash(p, index->slots[i] - 1) & (capacity - 1);
            while (slots[to]) {
                to = (to + 1) & (capacity - 1);
            }
            slots[to] = index->slots[i];
        }
    }
    free(index->slots);
    index->slots = slots;
    index->capacity = capacity;
    return 0;
}

/*
 * The id of the item that equals item number *n (written, not counted yet); counts it in when there
 * is none. Inlined, so that hash and same are direct calls.
 */
static inline __attribute__((always_inline)) uint32_t
intern(struct rp_profile *p, struct rp_index *index, uint32_t *n, hash_fn *hash, same_fn *same)
{
    if (index->used + 1 > index->capacity / 2 && grow_index(p, index, hash) != 0) {
        p->oom = 1;
        return 0;
    }
    uint32_t mask = index->capacity - 1;
    uint32_t i = (uint32_t)hash(p, *n) & mask;
    for (; index->slots[i]; i = (i + 1) & mask) {
        if (same(p, index->slots[i] - 1, *n)) {
            return index->slots[i] - 1;
        }
    }
    index->slots[i] = *n + 1;
    index->used++;
    return (*n)++;
}

static uint64_t hash_function(const struct rp_profile *p, uint32_t id)
{
    const struct rp_function *f = &p->functions[id];
    return rp_hash_mix((uint64_t)f->name << 32 | f->file, (uint32_t)f->start_line);
}

static int same_function(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    const struct rp_function *x = &p->functions[a], *y = &p->functions[b];
    return x->name == y->name && x->file == y->file && x->start_line == y->start_line;
}

static uint64_t hash_frame(const struct rp_profile *p, uint32_t id)
{
    return rp_hash_mix(p->frames[id].function, (uint32_t)p->frames[id].line);
}

static int same_frame(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    const struct rp_frame *x = &p->frames[a], *y = &p->frames[b];
    return x->function == y->function && x->line == y->line;
}

static uint64_t hash_node(const struct rp_profile *p, uint32_t id)
{
    return rp_hash_mix(p->nodes[id].parent, p->nodes[id].frame);
}

static int same_node(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    const struct rp_node *x = &p->nodes[a], *y = &p->nodes[b];
    return x->parent == y->parent && x->frame == y->frame;
}

static uint64_t hash_sample(const struct rp_profile *p, uint32_t id)
{
    return rp_hash_mix(p->samples[id].node, p->samples[id].label_set);
}

static int same_sample(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    const struct rp_sample *x = &p->samples[a], *y = &p->samples[b];
    return x->node == y->node && x->label_set == y->label_set;
}

static int compare_labels(const void *a, const void *b)
{
    const struct rp_label *x = a, *y = b;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    if (x->str != y->str) {
        return x->str < y->str ? -1 : 1;
    }
    if (x->num != y->num) {
        return x->num < y->num ? -1 : 1;
    }
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

static uint64_t hash_label_set(const struct rp_profile *p, uint32_t id)
{
    const struct rp_label_set *set = &p->label_sets[id];
    uint64_t hash = set->count;

    for (uint32_t i = 0; i < set->count; i++) {
        const struct rp_label *l = &p->labels[set->first + i];
        hash = rp_hash_mix(hash, (uint64_t)l->key << 32 | l->str);
        hash = rp_hash_mix(hash, (uint64_t)l->num ^ (uint64_t)l->unit << 40);
    }
    return hash;
}

static int same_label_set(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    const struct rp_label_set *x = &p->label_sets[a], *y = &p->label_sets[b];

    if (x->count != y->count) {
        return 0;
    }
    for (uint32_t i = 0; i < x->count; i++) {
        if (compare_labels(&p->labels[x->first + i], &p->labels[y->first + i]) != 0) {
            return 0;
        }
    }
    return 1;
}

/* ---- the whole ---- */

/* Makes an empty profile: node 0 (the root), string 0 ("") and label set 0 (none) exist. */
void rp_profile_init(struct rp_profile *p)
{
    *p = (struct rp_profile){0};
    if (rp_strtab_init(&p->strings) != 0) {
        p->oom = 1;
    }
    if (!p->oom && reserve(p, &p->nodes, &p->cap_nodes, 1, sizeof(*p->nodes)) == 0) {
        p->nodes[p->n_nodes++] = (struct rp_node){0, 0};
    }
    if (!p->oom && reserve(p, &p->label_sets, &p->cap_label_sets, 1, sizeof(*p->label_sets)) == 0) {
        p->label_sets[p->n_label_sets++] = (struct rp_label_set){0, 0};
    }
}

/* Frees everything that the profile holds; it must be made again before use. */
void rp_profile_free(struct rp_profile *p)
{
    rp_strtab_free(&p->strings);
    free(p->types);
    free(p->functions);
    free(p->frames);
    free(p->nodes);
    free(p->labels);
    free(p->label_sets);
    free(p->samples);
    free(p->values);
    free(p->comments);
    free(p->function_index.slots);
    free(p->frame_index.slots);
    free(p->node_index.slots);
    free(p->label_set_index.slots);
    free(p->sample_index.slots);
    *p = (struct rp_profile){0};
}

/* ---- strings ---- */

/* Id of a string of len bytes, copied. s must not point into this profile. */
uint32_t rp_profile_string(struct rp_profile *p, const char *s, size_t len)
{
    uint32_t id = p->oom ? 0 : rp_strtab_intern(&p->strings, s, len);

    if (id == UINT32_MAX) {
        p->oom = 1;
        return 0;
    }
    return id;
}

/* Id of a NUL-terminated string, copied. */
uint32_t rp_profile_cstring(struct rp_profile *p, const char *s)
{
    return rp_profile_string(p, s, strlen(s));
}

/* The bytes of a string, valid until the next one is added; ends in NUL; len may be NULL. */
const char *rp_profile_str(const struct rp_profile *p, uint32_t id, size_t *len)
{
    return rp_strtab_get(&p->strings, id, len);
}

/* Appends a comment by printf rules. */
void rp_profile_comment(struct rp_profile *p, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;

    va_start(ap, fmt);
    int len = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (len < 0) {
        p->oom = 1;
        return;
    }
    uint32_t id = rp_profile_string(p, text, (size_t)len);
    free(text);
    if (!p->oom && reserve(p, &p->comments, &p->cap_comments, p->n_comments + 1ull,
                           sizeof(*p->comments)) == 0) {
        p->comments[p->n_comments++] = id;
    }
}

/* ---- types, functions, frames, nodes ---- */

/* Adds a value type of two strings of this profile and returns its index. Only while there is no
 * sample yet. */
uint32_t rp_profile_type(struct rp_profile *p, uint32_t type, uint32_t unit)
{
    struct rp_value_type t = {type, unit};

    if (p->oom || reserve(p, &p->types, &p->cap_types, p->n_types + 1ull, sizeof(t)) != 0) {
        return 0;
    }
    p->types[p->n_types] = t;
    return p->n_types++;
}

/* The same with text, copied. */
uint32_t rp_profile_add_type(struct rp_profile *p, const char *type, const char *unit)
{
    uint32_t type_id = rp_profile_cstring(p, type);

    return rp_profile_type(p, type_id, rp_profile_cstring(p, unit));
}

/* Id of the function, new or known; name and file are strings of this profile. Ids begin with 0. */
uint32_t rp_profile_function(struct rp_profile *p, uint32_t name, uint32_t file, int32_t start_line)
{
    struct rp_function f = {name, file, start_line};

    if (p->oom ||
        reserve(p, &p->functions, &p->cap_functions, p->n_functions + 1ull, sizeof(f)) != 0) {
        return 0;
    }
    p->functions[p->n_functions] = f;
    return intern(p, &p->function_index, &p->n_functions, hash_function, same_function);
}

/* Id of the frame (function, line), new or known. Ids begin with 0. */
uint32_t rp_profile_frame(struct rp_profile *p, uint32_t function, int32_t line)
{
    struct rp_frame f = {function, line};

    if (p->oom || reserve(p, &p->frames, &p->cap_frames, p->n_frames + 1ull, sizeof(f)) != 0) {
        return 0;
    }
    p->frames[p->n_frames] = f;
    return intern(p, &p->frame_index, &p->n_frames, hash_frame, same_frame);
}

/* Id of the stack that has `frame` on top of the stack `parent` (0: the root), new or known; always
 * above the parent's id. */
uint32_t rp_profile_node(struct rp_profile *p, uint32_t parent, uint32_t frame)
{
    struct rp_node n = {parent, frame};

    if (p->oom || reserve(p, &p->nodes, &p->cap_nodes, p->n_nodes + 1ull, sizeof(n)) != 0) {
        return 0;
    }
    p->nodes[p->n_nodes] = n;
    return intern(p, &p->node_index, &p->n_nodes, hash_node, same_node);
}

/* ---- labels and samples ---- */

/* Id of the set of n labels, in any order (copied and sorted here); equal sets have equal ids. */
uint32_t rp_profile_label_set(struct rp_profile *p, const struct rp_label *labels, uint32_t n)
{
    if (p->oom || n == 0 ||
        reserve(p, &p->labels, &p->cap_labels, (uint64_t)p->n_labels + n, sizeof(*labels)) != 0 ||
        reserve(p, &p->label_sets, &p->cap_label_sets, p->n_label_sets + 1ull,
                sizeof(*p->label_sets)) != 0) {
        return 0;
    }
    memcpy(p->labels + p->n_labels, labels, n * sizeof(*labels));
    qsort(p->labels + p->n_labels, n, sizeof(*labels), compare_labels);
    p->label_sets[p->n_label_sets] = (struct rp_label_set){p->n_labels, n};

    uint32_t before = p->n_label_sets;
    uint32_t id = intern(p, &p->label_set_index, &p->n_label_sets, hash_label_set, same_label_set);
    if (p->n_label_sets > before) {
        p->n_labels += n;
    }
    return id;
}

static int reserve_sample(struct rp_profile *p)
{
    uint32_t capacity = p->cap_samples;
    size_t row = (p->n_types ? p->n_types : 1) * sizeof(*p->values);

    if (p->n_samples < capacity) {
        return 0;
    }
    if (reserve(p, &p->values, &capacity, p->n_samples + 1ull, row) != 0) {
        return -1;
    }
    return reserve(p, &p->samples, &p->cap_samples, p->n_samples + 1ull, sizeof(*p->samples));
}

/* Adds n_types values to the sample (node, label_set); makes it when new or keep_apart. Sums stay
 * within int64_t. */
void rp_profile_add(struct rp_profile *p, uint32_t node, uint32_t label_set, const int64_t *values)
{
    uint32_t before = p->n_samples, id;

    if (p->oom || reserve_sample(p) != 0) {
        return;
    }
    p->samples[before] = (struct rp_sample){node, label_set};
    if (p->keep_apart) {
        id = p->n_samples++;
    } else {
        id = intern(p, &p->sample_index, &p->n_samples, hash_sample, same_sample);
    }
    if (p->oom) {
        return;
    }
    int64_t *row = p->values + (size_t)id * p->n_types;
    if (id == before && p->n_types > 0) {
        memcpy(row, values, p->n_types * sizeof(*row));
        return;
    }
    for (uint32_t i = 0; i < p->n_types; i++) {
        row[i] = rp_add_clamped(row[i], values[i]);
    }
}
