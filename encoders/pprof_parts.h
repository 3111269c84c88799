/*
 * pprof_parts.h - what the first pass over a pprof file finds; private to pprof_read.c.
 */
#ifndef RP_PPROF_PARTS_H
#define RP_PPROF_PARTS_H

#include <stdint.h>

#include "buf.h"
#include "error.h"
#include "profile.h"
#include "wire.h"

/* An array in an rp_buf. */
#define RP_ITEMS(buf, type)   ((type *)(void *)(buf).data)
#define RP_N_ITEMS(buf, type) ((buf).size / sizeof(type))

/* Names and files are numbers of strings in the file. What has an id begins with it. */
struct rp_pprof_function {
    uint64_t id;
    uint64_t name, system_name, file, start_line;
    uint32_t function; /* of the profile, once named */
};

struct rp_pprof_mapping {
    uint64_t id, file;
};

struct rp_pprof_line {
    uint64_t function, line;
};

struct rp_pprof_location {
    uint64_t id;
    uint64_t mapping, address;
    size_t first,
        count; /* of lines, innermost call first; once named, of frames, outermost first */
};

struct rp_pprof_value_type {
    uint64_t type, unit;
};

struct rp_pprof_parts {
    struct rp_buf strings;                        /* uint32_t: ids in the profile */
    struct rp_buf functions, mappings, locations; /* structs as above, sorted by id */
    struct rp_buf lines;                          /* in the order of the file */
    struct rp_buf types;                          /* struct rp_pprof_value_type */
    struct rp_buf comments;                       /* uint64_t */
    struct rp_pprof_value_type period_type;
    uint64_t default_type, doc_url;
};

int rp_pprof_read_parts(struct rp_wire_reader file, struct rp_pprof_parts *parts,
                        struct rp_profile *p, struct rp_error *err);
void rp_pprof_parts_free(struct rp_pprof_parts *parts);
void *rp_pprof_find(const struct rp_buf *items, size_t item_bytes, uint64_t id);

#endif
