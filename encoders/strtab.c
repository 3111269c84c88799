/*
 * strtab.c - interned byte strings; see strtab.h.
 *
 * All bytes lie in one block, each string followed by a NUL; offsets[id] is where string id begins
 * and offsets[id + 1] - 1 where its NUL stands. slots is an open-addressing table of id + 1, at
 * most half full.
 */
#include "strtab.h"

#include <stdlib.h>

#include "hash.h"

enum { FIRST_SLOTS = 64, FIRST_OFFSETS = 64, FIRST_BYTES = 1024 };

#define MAX_STRINGS (UINT32_MAX / 4)

static size_t length(const struct rp_strtab *t, uint32_t id)
{
    return t->offsets[id + 1] - t->offsets[id] - 1;
}

/* The slot that holds the string, or the free one where it belongs. */
static uint32_t *find_slot(const struct rp_strtab *t, const char *s, size_t len)
{
    uint32_t mask = t->cap_slots - 1;
    uint32_t i = (uint32_t)rp_hash_bytes(s, len) & mask;

    for (; t->slots[i]; i = (i + 1) & mask) {
        uint32_t id = t->slots[i] - 1;
        if (length(t, id) == len && memcmp(t->bytes + t->offsets[id], s, len) == 0) {
            break;
        }
    }
    return &t->slots[i];
}

static int grow_slots(struct rp_strtab *t)
{
    uint32_t capacity = t->cap_slots ? t->cap_slots * 2 : FIRST_SLOTS;
    uint32_t *slots = calloc(capacity, sizeof(*slots));

    if (!slots) {
        return -1;
    }
    free(t->slots);
    t->slots = slots;
    t->cap_slots = capacity;
    for (uint32_t id = 0; id < t->n; id++) {
        *find_slot(t, t->bytes + t->offsets[id], length(t, id)) = id + 1;
    }
    return 0;
}

static int grow_offsets(struct rp_strtab *t)
{
    uint32_t capacity = t->cap_offsets ? t->cap_offsets * 2 : FIRST_OFFSETS;
    size_t *offsets = realloc(t->offsets, capacity * sizeof(*offsets));

    if (!offsets) {
        return -1;
    }
    t->offsets = offsets;
    t->cap_offsets = capacity;
    return 0;
}

static int grow_bytes(struct rp_strtab *t, size_t more)
{
    size_t capacity = t->capacity ? t->capacity : FIRST_BYTES;

    if (more > SIZE_MAX / 4 - t->size) {
        return -1;
    }
    while (capacity < t->size + more) {
        capacity *= 2;
    }
    char *bytes = realloc(t->bytes, capacity);
    if (!bytes) {
        return -1;
    }
    t->bytes = bytes;
    t->capacity = capacity;
    return 0;
}

static int make_room(struct rp_strtab *t, size_t len)
{
    if (t->n >= MAX_STRINGS || len > SIZE_MAX / 4) {
        return -1;
    }
    if (t->n + 1 >= t->cap_offsets && grow_offsets(t) != 0) {
        return -1;
    }
    if (len + 1 > t->capacity - t->size && grow_bytes(t, len + 1) != 0) {
        return -1;
    }
    return t->n + 1 > t->cap_slots / 2 ? grow_slots(t) : 0;
}

/* Makes a table that holds "" as id 0. 0, or -1 out of memory (rp_strtab_free is still right). */
int rp_strtab_init(struct rp_strtab *t)
{
    *t = (struct rp_strtab){0};
    return rp_strtab_intern(t, "", 0) == 0 ? 0 : -1;
}

/* Frees everything; the table must be made again before use. */
void rp_strtab_free(struct rp_strtab *t)
{
    free(t->bytes);
    free(t->offsets);
    free(t->slots);
    *t = (struct rp_strtab){0};
}

/* The id of the string if it is known, else UINT32_MAX. */
uint32_t rp_strtab_find(const struct rp_strtab *t, const char *s, size_t len)
{
    uint32_t slot = t->n > 0 ? *find_slot(t, s, len) : 0;

    return slot ? slot - 1 : UINT32_MAX;
}

/* The id of the string, new or known; the bytes are copied. s must not point into this table: it
 * may move. UINT32_MAX: out of memory, and the table is as it was. */
uint32_t rp_strtab_intern(struct rp_strtab *t, const char *s, size_t len)
{
    uint32_t known = rp_strtab_find(t, s, len);

    if (known != UINT32_MAX) {
        return known;
    }
    if (make_room(t, len) != 0) {
        return UINT32_MAX;
    }
    uint32_t id = t->n;
    if (len > 0) {
        memcpy(t->bytes + t->size, s, len);
    }
    t->bytes[t->size + len] = '\0';
    t->offsets[id] = t->size;
    t->size += len + 1;
    t->offsets[id + 1] = t->size;
    *find_slot(t, t->bytes + t->offsets[id], len) = id + 1;
    t->n++;
    return id;
}

/* The bytes of string id, valid until the next intern; len may be NULL. "" for an id that is not
 * there. */
const char *rp_strtab_get(const struct rp_strtab *t, uint32_t id, size_t *len)
{
    int known = id < t->n;

    if (len) {
        *len = known ? length(t, id) : 0;
    }
    return known ? t->bytes + t->offsets[id] : "";
}
