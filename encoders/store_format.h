/*
 * store_format.h - the records of a store, as its writer lays them down and its reader checks them.
 *
 * Private to store_*.c. A record is named by its reference: its place in the file in units of 8
 * bytes (never 0: the header comes first). A record refers to records before it only, so there are
 * no cycles. All integers little endian, records a multiple of 8 bytes, padding 0 (the writer
 * compares records byte by byte).
 */
#ifndef RP_STORE_FORMAT_H
#define RP_STORE_FORMAT_H

#include "store.h"

enum rp_record_type {
    RP_RECORD_STRING = 1,
    RP_RECORD_LABEL_SET,
    RP_RECORD_FUNCTION,
    RP_RECORD_NODE,
    RP_RECORD_THREAD,
    RP_RECORD_THREAD_NAME,
    RP_RECORD_CONTEXT,
    RP_RECORD_COUNTER,
    RP_RECORD_META,
    RP_RECORD_N,
};

#define RP_STORE_UNIT       8u
#define RP_STORE_BYTE_ORDER 0x01020304u
#define RP_STRING_MAX_BYTES 16384u /* longer ones are cut */
#define RP_FUNCTION_MAX     (1u << 24)
#define RP_LABELS_MAX       64 /* of one set; more are left out */

#define RP_RECORD_HEAD(type, bytes) ((uint32_t)(type) << 24 | (uint32_t)((bytes) / RP_STORE_UNIT))

static inline uint32_t rp_record_type(uint32_t head)
{
    return head >> 24;
}

static inline size_t rp_record_bytes(uint32_t head)
{
    return (size_t)(head & 0xFFFFFFu) * RP_STORE_UNIT;
}

struct rp_record_string {
    uint32_t head;
    uint32_t len;
    char bytes[]; /* valid UTF-8, padded with 0 */
};

struct rp_record_label_set {
    uint32_t head;
    uint32_t n;
    struct {
        uint32_t key, value; /* strings */
    } pairs[];               /* in the order of the keys' references */
};

struct rp_record_function {
    uint32_t head;
    uint32_t id; /* as the agent gave it, from 1 */
    uint32_t name, file;
    int32_t start_line;
    uint32_t padding;
};

struct rp_record_node {
    uint32_t head;
    uint32_t parent;   /* node; 0: the root */
    uint32_t function; /* id, not a reference */
    int32_t line;
};

/*
 * What a thread does is kept twice: the writer fills the copy that `version & 1` does not name,
 * then moves version on by a release-store. A reader that finds version unchanged after reading has
 * a whole copy; a writer killed half-way leaves the other one whole.
 */
struct rp_thread_now {
    _Atomic uint64_t since_mono_ns;
    _Atomic uint64_t state_and_owed_ns;  /* enum rp_state << 56 | ns */
    _Atomic uint64_t node_and_label_set; /* node << 32 | label set */
};

#define RP_OWED_BITS 56

struct rp_record_thread {
    uint32_t head;
    uint32_t seq;
    uint64_t born_mono_ns;
    _Atomic uint64_t version;
    struct rp_thread_now now[2];
};

struct rp_record_thread_name {
    uint32_t head;
    uint32_t thread, name;
    uint32_t padding;
};

/* What samples of one thread have in common; so a counter needs two references only. */
struct rp_record_context {
    uint32_t head;
    uint32_t thread;    /* 0: the overflow thread */
    uint32_t label_set; /* 0: none */
    uint8_t state;      /* enum rp_state */
    uint8_t truncated;  /* the stack went on beyond the node */
    uint16_t padding;
};

struct rp_record_counter {
    uint32_t head;
    uint32_t node; /* 0: the root */
    uint32_t context;
    uint32_t padding;
    _Atomic uint64_t count, cpu_ns, wall_ns;
};

struct rp_record_meta {
    uint32_t head;
    uint32_t key, value; /* strings */
    uint32_t padding;
};

_Static_assert(sizeof(struct rp_store_header) <= RP_STORE_HEADER_BYTES, "the header is one page");
_Static_assert(sizeof(struct rp_record_thread) == 72, "no hidden padding");
_Static_assert(sizeof(struct rp_record_counter) == 40, "no hidden padding");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "words are shared between processes");

#endif
