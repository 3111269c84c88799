/*
 * store_reader.h - what the parts of the reader share: store_read.c checks a store,
 * store_index.c indexes its names, store_profile.c turns it into the profile.
 *
 * Private to them. The reader of a store makes three passes over its records: what is there, what
 * things are called, what time they took.
 */
#ifndef RP_STORE_READER_H
#define RP_STORE_READER_H

#include "store_format.h"

/* What a reference means: the kind of record and its number, for the profile where it has one. */
#define RP_REF_VALUE_BITS 28
#define RP_REF_VALUE_MAX  ((1u << RP_REF_VALUE_BITS) - 1)

#define RP_UNSET UINT32_MAX

struct rp_read_function {
    uint32_t id;
    uint32_t name, file; /* strings of the profile */
    int32_t start_line;
    uint32_t function; /* of the profile; RP_UNSET until a node uses it */
};

struct rp_read_thread {
    const struct rp_record_thread *record;
    uint32_t name; /* string of the profile */
    /* as it was before the counters were read */
    uint64_t version, since_mono_ns, owed_ns;
    uint32_t state, node, label_set;
};

struct rp_read_context {
    uint32_t thread;      /* index + 1 in threads; 0: none */
    uint32_t label_set;   /* reference; 0: none */
    uint32_t profile_set; /* label set of the profile; RP_UNSET until a counter uses it */
    uint8_t state, truncated;
};

struct rp_reader {
    const char *base;
    size_t end; /* of the records, from base */
    const struct rp_store_header *header;
    struct rp_store_read_options options;
    struct rp_profile *p;
    struct rp_error *err;
    char prefix[40]; /* of comments about this process */

    uint32_t *meaning; /* of each 8-byte unit from the header on: type << 28 | number */
    struct rp_read_function *functions;
    uint32_t *function_slots; /* id -> index + 1 in functions, open addressing */
    struct rp_read_thread *threads;
    struct rp_read_context *contexts;
    size_t n_functions, n_threads, n_contexts;
    size_t max_functions, max_slots, max_threads, max_contexts;

    uint32_t unnamed_function; /* of the profile, as below; RP_UNSET until needed */
    uint32_t state_frames[RP_STATE_N], truncated_frame, unknown_frame;
    uint64_t samples; /* sum of counts */
};

/* Index in meaning. */
static inline size_t rp_reader_unit(size_t offset)
{
    return (offset - RP_STORE_HEADER_BYTES) / RP_STORE_UNIT;
}

typedef int rp_record_fn(struct rp_reader *r, size_t offset, const void *record);

/* Calls fn with each record from offset `from` on (checked for its size). 0, or -1 with err. */
int rp_reader_walk(struct rp_reader *r, size_t from, rp_record_fn *fn);

/* What a reference of the record at offset means; 0, or -1 with err: no record of that type before
 * it. */
int rp_reader_ref(const struct rp_reader *r, size_t offset, uint32_t ref, enum rp_record_type type,
                  uint32_t *value);

/* Notes what the record at offset means. 0, or -1 with err: too many. */
int rp_reader_mean(struct rp_reader *r, size_t offset, enum rp_record_type type, uint32_t value);

/* Always -1, with err filled. */
int rp_reader_no_memory(const struct rp_reader *r);

/* Allocates the tables for what the first pass found, then fills them. 0, or -1 with err. */
int rp_reader_begin_index(struct rp_reader *r);
int rp_reader_index(struct rp_reader *r);

/* The function of that id; NULL: it was not named. */
struct rp_read_function *rp_reader_function(const struct rp_reader *r, uint32_t id);

/* Fills the profile from the indexed store. 0, or -1 with err. */
int rp_reader_begin_profile(struct rp_reader *r); /* before the index: types, first comments */
int rp_reader_fill_profile(struct rp_reader *r);

#endif
