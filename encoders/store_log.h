/*
 * store_log.h - the end of a store's log: where its writer interns and publishes records.
 *
 * Private to store_log.c and store_write.c, called by the writer's one thread. A record is written
 * whole behind the last one, then header.committed moves past it by a release-store: whatever was
 * being written when the process was killed, the file stays readable.
 *
 * Room is given by priority, so that at the limit what still matters finds some: new stacks stop
 * first, then names, then counters of folded stacks, at last counters of threads.
 */
#ifndef RP_STORE_LOG_H
#define RP_STORE_LOG_H

#include "store_format.h"
#include "store_map.h"
#include "store_table.h"

enum rp_priority {
    RP_PRIORITY_DETAIL, /* leaves free what the ones below may use */
    RP_PRIORITY_NAME,
    RP_PRIORITY_FOLDED,
    RP_PRIORITY_LAST, /* may take everything */
    RP_PRIORITY_N,
    RP_PRIORITY_FIND_ONLY = RP_PRIORITY_N, /* no new record */
};

struct rp_store_log {
    struct rp_store_map map;
    struct rp_store_table table;
    struct rp_store_header *header; /* the first page of map */
    size_t used;                    /* bytes of the file: header and log */
    size_t keep[RP_PRIORITY_N];     /* bytes that a priority leaves free */
    size_t ahead[RP_PRIORITY_N];    /* bytes that it leaves reserved */
    uint64_t adds, retry_at;        /* samples so far; no growth before so many */
};

/* Maps the file and makes an empty log behind an empty header. 0, or -1 with err and nothing left.
 */
int rp_store_log_open(struct rp_store_log *log, int fd, uint64_t max_bytes, struct rp_error *err);
void rp_store_log_close(struct rp_store_log *log);

/* The memory of the record that a reference names. */
static inline void *rp_store_log_at(const struct rp_store_log *log, uint32_t ref)
{
    return log->map.base + (size_t)ref * RP_STORE_UNIT;
}

/* Appends a record. Its reference, or 0 without room. */
uint32_t rp_store_log_append(struct rp_store_log *log, const void *record, size_t bytes,
                             enum rp_priority priority);
/* The record whose first key_bytes are those of record, made when there is none. Its reference, or
 * 0 without room. */
uint32_t rp_store_log_intern(struct rp_store_log *log, const void *record, size_t bytes,
                             size_t key_bytes, enum rp_priority priority);
/* Interns a string as valid UTF-8; *ref is 0 for "". 0, or -1 without room. */
int rp_store_log_string(struct rp_store_log *log, const char *s, size_t len,
                        enum rp_priority priority, uint32_t *ref);

/* Adds to a word that only the writer changes and anybody reads. */
static inline void rp_store_bump(_Atomic uint64_t *word, uint64_t by)
{
    /* one writer: no need for a locked instruction */
    uint64_t now = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word, now + by, memory_order_relaxed);
}

#endif
