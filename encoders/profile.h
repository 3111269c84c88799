/*
 * profile.h - the profile model: what a reader fills, what the views ask, what an encoder writes.
 *
 * Everything is a number: strings, functions, frames, stack nodes and label sets are interned to
 * dense ids, so that merging and aggregating are table look-ups. A stack is a path in one tree
 * (node -> parent ... -> 0), leaf last. Knows nothing of Ruby.
 *
 * Memory: owned by the profile, freed by rp_profile_free. Allocation failure is sticky (oom != 0);
 * ids returned after it are 0 and the caller checks oom once at its end. Not thread safe.
 */
#ifndef RP_PROFILE_H
#define RP_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "strtab.h"

struct rp_value_type {
    uint32_t type; /* string: "samples", "cpu", "wall", or whatever a foreign file says */
    uint32_t unit; /* string: "count", "nanoseconds", ... */
};

struct rp_function {
    uint32_t name, file; /* strings; file is "" when unknown, "<C method>" for C */
    int32_t start_line;  /* 0: unknown */
};

struct rp_frame {
    uint32_t function;
    int32_t line; /* 0: unknown */
};

struct rp_node {
    uint32_t parent; /* node; 0 is the root, which has no frame */
    uint32_t frame;
};

struct rp_label {
    uint32_t key;
    uint32_t str; /* value; 0 when the label is a number */
    int64_t num;
    uint32_t unit; /* of num; 0: none */
};

struct rp_label_set {
    uint32_t first, count; /* range in rp_profile.labels, sorted by key; set 0 is empty */
};

struct rp_sample {
    uint32_t node;
    uint32_t label_set;
};

/* An open-addressing index over one of the arrays; private to profile.c. */
struct rp_index {
    uint32_t *slots;
    uint32_t capacity, used;
};

struct rp_profile {
    struct rp_strtab strings; /* id 0 is "" */

    struct rp_value_type *types; /* of the values of each sample */
    uint32_t n_types;
    uint32_t default_type; /* index into types */

    struct rp_function *functions;
    struct rp_frame *frames;
    struct rp_node *nodes;
    struct rp_label *labels;
    struct rp_label_set *label_sets;
    struct rp_sample *samples;
    int64_t *values; /* n_samples * n_types */
    uint32_t n_functions, n_frames, n_nodes, n_labels, n_label_sets, n_samples;

    uint32_t *comments; /* strings */
    uint32_t n_comments;

    struct rp_value_type period_type;
    int64_t period;      /* ns between two ticks; 0: unknown */
    int64_t time_ns;     /* start, ns since the epoch; 0: unknown */
    int64_t duration_ns; /* 0: unknown */
    uint32_t doc_url;    /* string */

    /* What the text report's header and -v want to know; all 0 in foreign files that do not say. */
    uint32_t mode; /* string "cpu", "wall" or "" */
    uint64_t frequency_hz;
    uint64_t sampling_count;   /* sampler calls */
    uint64_t sampling_time_ns; /* spent in them */

    int keep_apart; /* samples with equal node and labels stay apart (--no-aggregate) */
    int oom;

    uint32_t cap_types, cap_functions, cap_frames, cap_nodes, cap_labels, cap_label_sets,
        cap_samples, cap_comments;
    struct rp_index function_index, frame_index, node_index, label_set_index, sample_index;
};

void rp_profile_init(struct rp_profile *p); /* node 0, string 0, label set 0 exist afterwards */
void rp_profile_free(struct rp_profile *p);

/* len bytes, need not end in NUL. */
uint32_t rp_profile_string(struct rp_profile *p, const char *s, size_t len);
uint32_t rp_profile_cstring(struct rp_profile *p, const char *s);
const char *rp_profile_str(const struct rp_profile *p, uint32_t id,
                           size_t *len); /* len may be NULL; ends in NUL */

uint32_t rp_profile_add_type(struct rp_profile *p, const char *type,
                             const char *unit); /* before the first sample */
uint32_t rp_profile_type(struct rp_profile *p, uint32_t type, uint32_t unit); /* likewise */
uint32_t rp_profile_function(struct rp_profile *p, uint32_t name, uint32_t file,
                             int32_t start_line);
uint32_t rp_profile_frame(struct rp_profile *p, uint32_t function, int32_t line);
uint32_t rp_profile_node(struct rp_profile *p, uint32_t parent, uint32_t frame);
/* labels: n of them, any order; copied. Equal sets get equal ids. */
uint32_t rp_profile_label_set(struct rp_profile *p, const struct rp_label *labels, uint32_t n);
/* Adds n_types values to the sample (node, label_set); makes it when new or keep_apart. */
void rp_profile_add(struct rp_profile *p, uint32_t node, uint32_t label_set, const int64_t *values);
void rp_profile_comment(struct rp_profile *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
