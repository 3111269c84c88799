/*
 * collapsed.c - one line a stack, "frame;frame;leaf weight", root first: what flame graph tools
 * read.
 *
 * Stacks that look the same become one line, whatever their labels, lines and files: the stacks are
 * interned once more, by cleaned name only, in a profile of our own. Weights are of the default
 * type (nanoseconds in our profiles); what weighs nothing is left out.
 */
#include "encode.h"

#include <errno.h>
#include <stdlib.h>

#include "plain.h"
#include "query.h"

#define EMPTY_STACK "[unknown]"

/* Frames of `by_name` for the functions of p, in to[function]. */
static void add_names(struct rp_profile *by_name, const struct rp_profile *p, uint32_t *to)
{
    struct rp_buf name = {0};

    for (uint32_t i = 0; i < p->n_functions; i++) {
        size_t len;
        const char *s = rp_profile_str(p, p->functions[i].name, &len);
        name.size = 0;
        rp_plain_add(&name, s, len, ':');
        uint32_t id = rp_profile_string(by_name, name.data, name.size);
        to[i] = rp_profile_frame(by_name, rp_profile_function(by_name, id, 0, 0), 0);
    }
    by_name->oom |= name.oom;
    rp_buf_free(&name);
}

/* Fills by_name with the stacks of p by name, weighed by the default type. -1: out of memory. */
static int fold(struct rp_profile *by_name, const struct rp_profile *p)
{
    struct rp_query query = {.type = p->default_type};
    uint32_t *frames = calloc(p->n_functions + 1ull, sizeof(*frames));
    uint32_t *nodes = calloc(p->n_nodes + 1ull, sizeof(*nodes));
    int64_t *own = rp_query_nodes(p, &query);
    int rc = -1;

    rp_profile_add_type(by_name, "weight", "");
    if (!frames || !nodes || !own) {
        goto out;
    }
    add_names(by_name, p, frames);
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const struct rp_node *n = &p->nodes[i];
        nodes[i] = i == 0 ? 0
                          : rp_profile_node(by_name, nodes[n->parent],
                                            frames[p->frames[n->frame].function]);
        if (own[i] != 0) {
            rp_profile_add(by_name, nodes[i], 0, &own[i]);
        }
    }
    rc = by_name->oom ? -1 : 0;
out:
    free(frames);
    free(nodes);
    free(own);
    return rc;
}

/* Writes the names of the stack that ends in node; path is room for its nodes, used again. */
static void write_stack(const struct rp_profile *p, uint32_t node, struct rp_buf *path,
                        struct rp_sink *s)
{
    if (node == 0) {
        rp_sink_puts(s, EMPTY_STACK);
        return;
    }
    path->size = 0;
    for (; node; node = p->nodes[node].parent) {
        rp_buf_add(path, &node, sizeof(node));
    }
    const uint32_t *nodes = (const uint32_t *)(const void *)path->data;
    for (size_t left = path->size / sizeof(*nodes); left > 0; left--) {
        size_t len;
        uint32_t function = p->frames[p->nodes[nodes[left - 1]].frame].function;
        const char *name = rp_profile_str(p, p->functions[function].name, &len);
        rp_sink_write(s, name, len);
        if (left > 1) {
            rp_sink_write(s, ";", 1);
        }
    }
}

/* Writes p as collapsed stacks. */
void rp_encode_collapsed(const struct rp_profile *p, struct rp_sink *s)
{
    struct rp_profile by_name;
    struct rp_buf path = {0};

    rp_profile_init(&by_name);
    if (p->default_type < p->n_types && fold(&by_name, p) != 0) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
        goto out;
    }
    for (uint32_t i = 0; i < by_name.n_samples; i++) {
        if (by_name.values[i] > 0) {
            write_stack(&by_name, by_name.samples[i].node, &path, s);
            rp_sink_printf(s, " %lld\n", (long long)by_name.values[i]);
        }
    }
    if (path.oom) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
    }
out:
    rp_buf_free(&path);
    rp_profile_free(&by_name);
}
