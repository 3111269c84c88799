/*
 * query.h - what the views ask of a profile: how much each function took, itself and with all that
 * it called.
 *
 * Reads the profile only; results hold ids of its strings and are valid as long as it is.
 */
#ifndef RP_QUERY_H
#define RP_QUERY_H

#include "error.h"
#include "profile.h"

struct rp_query {
    uint32_t type;       /* index into the value types */
    const uint8_t *keep; /* one byte a sample, 0 leaves it out; NULL: all samples */
};

/* One function, which is a name in a file: several start lines of it are one row. */
struct rp_function_row {
    uint32_t name, file; /* strings of the profile */
    int64_t flat;        /* of samples whose leaf it is */
    int64_t cum;         /* of samples that hold it anywhere, once each */
};

struct rp_function_table {
    struct rp_function_row *rows;
    uint32_t n;
    int64_t total;      /* of all kept samples, also those with an empty stack */
    uint64_t n_samples; /* kept */
};

enum rp_sort { RP_SORT_FLAT, RP_SORT_CUM };

/* Fills table (free it with rp_function_table_free, also after -1). -1: out of memory. */
int rp_query_functions(const struct rp_profile *p, const struct rp_query *query,
                       struct rp_function_table *table, struct rp_error *err);
void rp_function_table_free(struct rp_function_table *table);
/* Largest first; equal ones by name and file, so that the order is always the same. */
void rp_function_table_sort(const struct rp_profile *p, struct rp_function_table *table,
                            enum rp_sort by);

/* Sum of one value type over each node's own samples: n_nodes values, to be freed. NULL: out of
 * memory. */
int64_t *rp_query_nodes(const struct rp_profile *p, const struct rp_query *query);

#endif
