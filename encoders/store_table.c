/*
 * store_table.c - the index of a store's writer; see store_table.h.
 *
 * A slot keeps the hash beside the reference, so that a wrong slot seldom costs a look into the
 * log and growing never does.
 */
#include "store_table.h"

#include <string.h>

#include "store_format.h"
#include "store_map.h"

enum { FIRST_CAPACITY = 4096 };

static struct rp_store_slot *alloc_slots(uint32_t capacity)
{
    return rp_store_private_alloc((size_t)capacity * sizeof(struct rp_store_slot));
}

int rp_store_table_init(struct rp_store_table *t, uint64_t store_bytes)
{
    uint64_t limit = store_bytes / 2 / sizeof(struct rp_store_slot);
    uint32_t max = FIRST_CAPACITY;
    while (max <= UINT32_MAX / 2 && (uint64_t)max * 2 <= limit) {
        max *= 2;
    }
    *t = (struct rp_store_table){.capacity = FIRST_CAPACITY, .max_capacity = max};
    t->slots = alloc_slots(t->capacity);
    return t->slots == NULL ? -1 : 0;
}

void rp_store_table_free(struct rp_store_table *t)
{
    rp_store_private_free(t->slots, (size_t)t->capacity * sizeof(*t->slots));
    *t = (struct rp_store_table){0};
}

uint32_t rp_store_table_find(const struct rp_store_table *t, const char *base, const void *record,
                             size_t bytes, uint32_t hash)
{
    uint32_t mask = t->capacity - 1;
    for (uint32_t i = hash & mask; t->slots[i].ref != 0; i = (i + 1) & mask) {
        const struct rp_store_slot *slot = &t->slots[i];
        if (slot->hash == hash &&
            memcmp(base + (size_t)slot->ref * RP_STORE_UNIT, record, bytes) == 0) {
            return slot->ref;
        }
    }
    return 0;
}

static void place(struct rp_store_slot *slots, uint32_t capacity, struct rp_store_slot slot)
{
    uint32_t mask = capacity - 1;
    uint32_t i = slot.hash & mask;
    while (slots[i].ref != 0) {
        i = (i + 1) & mask;
    }
    slots[i] = slot;
}

int rp_store_table_reserve(struct rp_store_table *t, uint32_t keep)
{
    uint32_t limit = t->capacity / 4 * 3;
    if (t->capacity >= t->max_capacity) {
        return (uint64_t)t->used + 1 + keep <= limit ? 0 : -1;
    }
    if (t->used + 1 <= limit) {
        return 0;
    }
    uint32_t capacity = t->capacity * 2;
    struct rp_store_slot *slots = alloc_slots(capacity);
    if (slots == NULL) {
        t->max_capacity = t->capacity; /* asked once: no system call for each new stack */
        return -1;
    }
    for (uint32_t i = 0; i < t->capacity; i++) {
        if (t->slots[i].ref != 0) {
            place(slots, capacity, t->slots[i]);
        }
    }
    rp_store_private_free(t->slots, (size_t)t->capacity * sizeof(*t->slots));
    t->slots = slots;
    t->capacity = capacity;
    return 0;
}

void rp_store_table_insert(struct rp_store_table *t, uint32_t hash, uint32_t ref)
{
    place(t->slots, t->capacity, (struct rp_store_slot){hash, ref});
    t->used++;
}
