/*
 * store_table.h - finds the record of a store that equals a given one: an open-addressing table of
 * references, in memory of the writer's own that a fork's child does not inherit.
 *
 * Private to the store's writer: one thread. Bounded: it grows to max_capacity slots and no
 * further.
 */
#ifndef RP_STORE_TABLE_H
#define RP_STORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct rp_store_slot {
    uint32_t hash;
    uint32_t ref; /* of the record; 0: free */
};

struct rp_store_table {
    struct rp_store_slot *slots;
    uint32_t capacity, used, max_capacity; /* capacities are powers of two */
};

/* For a store of store_bytes: the table's limit is half of that. 0, or -1: no memory. */
int rp_store_table_init(struct rp_store_table *t, uint64_t store_bytes);
void rp_store_table_free(struct rp_store_table *t);

/* The reference of the record at base whose first `bytes` (a multiple of 8) equal those of record;
 * 0: none. */
uint32_t rp_store_table_find(const struct rp_store_table *t, const char *base, const void *record,
                             size_t bytes, uint32_t hash);

/* Makes room for one more and leaves room for `keep` others; 0, or -1: the limit is reached. */
int rp_store_table_reserve(struct rp_store_table *t, uint32_t keep);

/* Adds a record that is not in it; after a successful reserve. */
void rp_store_table_insert(struct rp_store_table *t, uint32_t hash, uint32_t ref);

#endif
