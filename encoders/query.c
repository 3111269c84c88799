/*
 * query.c - flat and cumulative values per function, in one walk over the tree of stacks.
 *
 * A function counts once per stack: its cumulative value is the sum of the subtrees at which it
 * appears for the first time on the way from the root. The walk keeps its way back in the nodes'
 * parents, so that a stack of any depth costs no stack of ours.
 */
#include "query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clamp.h"

/* Children of a node are a list: first[node], then next[child]; 0 ends it. */
struct tree {
    uint32_t *first, *next;
};

struct keyed_function {
    uint64_t key; /* name and file */
    uint32_t function;
};

int64_t *rp_query_nodes(const struct rp_profile *p, const struct rp_query *query)
{
    int64_t *own = calloc(p->n_nodes, sizeof(*own));

    if (!own) {
        return NULL;
    }
    for (uint32_t i = 0; i < p->n_samples; i++) {
        if (!query->keep || query->keep[i]) {
            int64_t *to = &own[p->samples[i].node];
            *to = rp_add_clamped(*to, p->values[(size_t)i * p->n_types + query->type]);
        }
    }
    return own;
}

static int compare_keys(const void *a, const void *b)
{
    const struct keyed_function *x = a, *y = b;

    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return x->function < y->function ? -1 : x->function > y->function;
}

/* Gives each function the number of its row in row_of, and makes the rows. -1: out of memory. */
static int make_rows(const struct rp_profile *p, struct rp_function_table *table, uint32_t *row_of)
{
    struct keyed_function *keyed = calloc(p->n_functions + 1ull, sizeof(*keyed));

    table->rows = calloc(p->n_functions + 1ull, sizeof(*table->rows));
    if (!keyed || !table->rows) {
        free(keyed);
        return -1;
    }
    for (uint32_t i = 0; i < p->n_functions; i++) {
        const struct rp_function *f = &p->functions[i];
        keyed[i] = (struct keyed_function){(uint64_t)f->name << 32 | f->file, i};
    }
    qsort(keyed, p->n_functions, sizeof(*keyed), compare_keys);
    for (uint32_t i = 0; i < p->n_functions; i++) {
        if (i == 0 || keyed[i].key != keyed[i - 1].key) {
            const struct rp_function *f = &p->functions[keyed[i].function];
            table->rows[table->n++] = (struct rp_function_row){.name = f->name, .file = f->file};
        }
        row_of[keyed[i].function] = table->n - 1;
    }
    free(keyed);
    return 0;
}

/* A node's parent has a smaller id (rp_profile_node), so one pass from the end sums subtrees. */
static void sum_subtrees(const struct rp_profile *p, int64_t *values)
{
    for (uint32_t node = p->n_nodes - 1; node > 0; node--) {
        int64_t *to = &values[p->nodes[node].parent];
        *to = rp_add_clamped(*to, values[node]);
    }
}

static int make_tree(const struct rp_profile *p, struct tree *t)
{
    t->first = calloc(p->n_nodes, sizeof(*t->first));
    t->next = calloc(p->n_nodes, sizeof(*t->next));
    if (!t->first || !t->next) {
        return -1;
    }
    for (uint32_t node = p->n_nodes - 1; node > 0; node--) {
        uint32_t parent = p->nodes[node].parent;
        t->next[node] = t->first[parent];
        t->first[parent] = node;
    }
    return 0;
}

struct walk {
    const struct rp_profile *p;
    struct rp_function_table *table;
    const uint32_t *row_of; /* by function */
    const int64_t *subtree; /* by node */
    uint32_t *open;         /* by row: how often it is on the way from the root to here */
};

static uint32_t row_of_node(const struct walk *w, uint32_t node)
{
    return w->row_of[w->p->frames[w->p->nodes[node].frame].function];
}

static void enter(struct walk *w, uint32_t node)
{
    uint32_t row = row_of_node(w, node);

    if (w->open[row]++ == 0) {
        int64_t *cum = &w->table->rows[row].cum;
        *cum = rp_add_clamped(*cum, w->subtree[node]);
    }
}

static void add_cumulative(struct walk *w, const struct tree *t)
{
    uint32_t node = t->first[0];

    while (node) {
        enter(w, node);
        if (t->first[node]) {
            node = t->first[node];
            continue;
        }
        while (node && !t->next[node]) {
            w->open[row_of_node(w, node)]--;
            node = w->p->nodes[node].parent;
        }
        if (node) {
            w->open[row_of_node(w, node)]--;
            node = t->next[node];
        }
    }
}

static void add_flat(struct walk *w, const int64_t *own)
{
    struct rp_function_table *table = w->table;

    for (uint32_t node = 0; node < w->p->n_nodes; node++) {
        table->total = rp_add_clamped(table->total, own[node]);
        if (node > 0) {
            int64_t *flat = &table->rows[row_of_node(w, node)].flat;
            *flat = rp_add_clamped(*flat, own[node]);
        }
    }
}

static uint64_t count_kept(const struct rp_profile *p, const struct rp_query *query)
{
    uint64_t kept = 0;

    for (uint32_t i = 0; i < p->n_samples; i++) {
        kept += !query->keep || query->keep[i];
    }
    return kept;
}

int rp_query_functions(const struct rp_profile *p, const struct rp_query *query,
                       struct rp_function_table *table, struct rp_error *err)
{
    *table = (struct rp_function_table){.n_samples = count_kept(p, query)};
    int rc = -1;
    struct tree tree = {0};
    int64_t *values = rp_query_nodes(p, query);
    uint32_t *row_of = calloc(p->n_functions + 1ull, sizeof(*row_of));
    uint32_t *open = calloc(p->n_functions + 1ull, sizeof(*open));

    if (p->oom || !values || !row_of || !open || make_tree(p, &tree) != 0 ||
        make_rows(p, table, row_of) != 0) {
        rp_error_set(err, ENOMEM, "cannot sum up the profile");
        goto out;
    }
    struct walk w = {p, table, row_of, values, open};
    add_flat(&w, values);
    sum_subtrees(p, values);
    add_cumulative(&w, &tree);
    rc = 0;
out:
    free(values);
    free(row_of);
    free(open);
    free(tree.first);
    free(tree.next);
    return rc;
}

void rp_function_table_free(struct rp_function_table *table)
{
    free(table->rows);
    *table = (struct rp_function_table){0};
}

static int compare_strings(const struct rp_profile *p, uint32_t a, uint32_t b)
{
    size_t a_len, b_len;
    const char *x = rp_profile_str(p, a, &a_len);
    const char *y = rp_profile_str(p, b, &b_len);
    int order = memcmp(x, y, a_len < b_len ? a_len : b_len);

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int compare_names(const struct rp_profile *p, const struct rp_function_row *x,
                         const struct rp_function_row *y)
{
    int order = compare_strings(p, x->name, y->name);

    return order ? order : compare_strings(p, x->file, y->file);
}

static int compare_flat(const void *a, const void *b, void *profile)
{
    const struct rp_function_row *x = a, *y = b;

    return x->flat != y->flat ? (x->flat < y->flat) - (x->flat > y->flat)
                              : compare_names(profile, x, y);
}

static int compare_cum(const void *a, const void *b, void *profile)
{
    const struct rp_function_row *x = a, *y = b;

    return x->cum != y->cum ? (x->cum < y->cum) - (x->cum > y->cum) : compare_names(profile, x, y);
}

void rp_function_table_sort(const struct rp_profile *p, struct rp_function_table *table,
                            enum rp_sort by)
{
    qsort_r(table->rows, table->n, sizeof(*table->rows),
            by == RP_SORT_FLAT ? compare_flat : compare_cum, (void *)p);
}
