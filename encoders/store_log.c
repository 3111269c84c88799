/*
 * store_log.c - appends records to a store, each one once; see store_log.h.
 *
 * In the steady state nothing here allocates or calls the system; it does when the store grows.
 */
#include "store_log.h"

#include <errno.h>
#include <string.h>

#include "hash.h"
#include "utf8.h"

enum {
    KEEP_SHIFT = 3,          /* 1/8 of the store is kept from RP_PRIORITY_DETAIL, 1/16 ... */
    AHEAD_BYTES = 128 << 10, /* ... and so much of it reserved, should the device fill up */
    RETRY_ADDS = 1000,       /* samples between two attempts to grow on a full device */
};

/* Whether a record of that size may be appended; reserves memory for it. */
static int has_room(struct rp_store_log *log, size_t bytes, enum rp_priority priority)
{
    if (priority == RP_PRIORITY_FIND_ONLY) {
        return 0;
    }
    size_t want = log->used + bytes;
    int room = want + log->keep[priority] <= log->map.size;
    if (room && want + log->ahead[priority] > log->map.reserved) {
        if (log->adds < log->retry_at) {
            room = 0;
        } else if (rp_store_map_reserve(&log->map, want + log->ahead[priority]) != 0) {
            log->retry_at = log->adds + RETRY_ADDS;
            room = 0;
        }
    }
    if (!room) {
        rp_store_bump(&log->header->log_bytes_lost, bytes);
    }
    return room;
}

/* Entries of the index that a priority leaves free. */
static uint32_t table_keep(const struct rp_store_log *log, enum rp_priority priority)
{
    return priority < RP_PRIORITY_LAST ? log->table.max_capacity >> (KEEP_SHIFT + 1 + priority) : 0;
}

/* Appends and publishes a record, which may stand at the end of the log already. Its reference. */
static uint32_t publish(struct rp_store_log *log, const void *record, size_t bytes)
{
    char *to = log->map.base + log->used;
    if (to != record) {
        memcpy(to, record, bytes);
    }
    uint32_t ref = (uint32_t)(log->used / RP_STORE_UNIT);
    log->used += bytes;
    atomic_store_explicit(&log->header->committed, log->used - RP_STORE_HEADER_BYTES,
                          memory_order_release);
    return ref;
}

uint32_t rp_store_log_append(struct rp_store_log *log, const void *record, size_t bytes,
                             enum rp_priority priority)
{
    return has_room(log, bytes, priority) ? publish(log, record, bytes) : 0;
}

uint32_t rp_store_log_intern(struct rp_store_log *log, const void *record, size_t bytes,
                             size_t key_bytes, enum rp_priority priority)
{
    uint32_t hash = (uint32_t)rp_hash_bytes(record, key_bytes);
    uint32_t ref = rp_store_table_find(&log->table, log->map.base, record, key_bytes, hash);
    if (ref != 0 || !has_room(log, bytes, priority) ||
        rp_store_table_reserve(&log->table, table_keep(log, priority)) != 0) {
        return ref;
    }
    ref = publish(log, record, bytes);
    rp_store_table_insert(&log->table, hash, ref);
    return ref;
}

static size_t round_up(size_t bytes)
{
    return (bytes + RP_STORE_UNIT - 1) / RP_STORE_UNIT * RP_STORE_UNIT;
}

/* The candidate is written behind the log, where memory is reserved ahead, and stays unpublished
 * when it is known already. */
int rp_store_log_string(struct rp_store_log *log, const char *s, size_t len,
                        enum rp_priority priority, uint32_t *ref)
{
    *ref = 0;
    if (len == 0) {
        return 0;
    }
    size_t most = len > RP_STRING_MAX_BYTES / 3 ? RP_STRING_MAX_BYTES : len * 3;
    struct rp_record_string *r = (void *)(log->map.base + log->used);
    if (log->used + round_up(sizeof(*r) + most) > log->map.reserved) {
        return -1;
    }
    r->len = (uint32_t)rp_utf8_repair(r->bytes, most, s, len);
    size_t bytes = round_up(sizeof(*r) + r->len);
    memset(r->bytes + r->len, 0, bytes - sizeof(*r) - r->len);
    r->head = RP_RECORD_HEAD(RP_RECORD_STRING, bytes);

    *ref = rp_store_log_intern(log, r, bytes, bytes, priority);
    return *ref == 0 ? -1 : 0;
}

int rp_store_log_open(struct rp_store_log *log, int fd, uint64_t max_bytes, struct rp_error *err)
{
    *log = (struct rp_store_log){.used = RP_STORE_HEADER_BYTES};
    if (rp_store_map_open(&log->map, fd, max_bytes, err) != 0) {
        return -1;
    }
    log->header = (struct rp_store_header *)log->map.base;
    if (rp_store_table_init(&log->table, log->map.size) != 0) {
        rp_store_map_close(&log->map);
        return rp_error_set(err, ENOMEM, "no store: cannot map memory for its index");
    }
    for (int i = 0; i < RP_PRIORITY_LAST; i++) {
        log->keep[i] = log->map.size >> (KEEP_SHIFT + i);
        log->ahead[i] = (size_t)AHEAD_BYTES >> i;
        if (log->ahead[i] > log->keep[i]) {
            log->ahead[i] = log->keep[i];
        }
    }
    return 0;
}

void rp_store_log_close(struct rp_store_log *log)
{
    rp_store_table_free(&log->table);
    rp_store_map_close(&log->map);
}
