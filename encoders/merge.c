/*
 * merge.c - adds one profile to another: every id of the source is mapped to one of the target.
 */
#include "merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clamp.h"

/* By id of src: the id in dst. */
struct maps {
    uint32_t *strings, *functions, *frames, *nodes, *label_sets;
    uint32_t *types; /* by type of dst: the type of src */
};

static void free_maps(struct maps *m)
{
    free(m->strings);
    free(m->functions);
    free(m->frames);
    free(m->nodes);
    free(m->label_sets);
    free(m->types);
}

static int make_maps(struct maps *m, const struct rp_profile *src)
{
    m->strings = calloc(src->strings.n + 1ull, sizeof(uint32_t));
    m->functions = calloc(src->n_functions + 1ull, sizeof(uint32_t));
    m->frames = calloc(src->n_frames + 1ull, sizeof(uint32_t));
    m->nodes = calloc(src->n_nodes + 1ull, sizeof(uint32_t));
    m->label_sets = calloc(src->n_label_sets + 1ull, sizeof(uint32_t));
    m->types = calloc(src->n_types + 1ull, sizeof(uint32_t));
    return m->strings && m->functions && m->frames && m->nodes && m->label_sets && m->types ? 0
                                                                                            : -1;
}

static int same_string(const struct rp_profile *a, uint32_t x, const struct rp_profile *b,
                       uint32_t y)
{
    size_t x_len, y_len;
    const char *x_text = rp_profile_str(a, x, &x_len);
    const char *y_text = rp_profile_str(b, y, &y_len);

    return x_len == y_len && memcmp(x_text, y_text, x_len) == 0;
}

static uint32_t find_type(const struct rp_profile *in, const struct rp_profile *of,
                          const struct rp_value_type *t)
{
    for (uint32_t i = 0; i < in->n_types; i++) {
        if (same_string(in, in->types[i].type, of, t->type) &&
            same_string(in, in->types[i].unit, of, t->unit)) {
            return i;
        }
    }
    return UINT32_MAX;
}

static int map_types(struct rp_profile *dst, const struct rp_profile *src, struct maps *m,
                     struct rp_error *err)
{
    if (dst->n_types == 0 && dst->n_samples == 0) {
        for (uint32_t i = 0; i < src->n_types; i++) {
            rp_profile_type(dst, m->strings[src->types[i].type], m->strings[src->types[i].unit]);
            m->types[i] = i;
        }
        dst->default_type = src->default_type;
        return 0;
    }
    if (dst->n_types != src->n_types) {
        return rp_error_set(err, 0, "cannot merge profiles with %u and %u value types",
                            dst->n_types, src->n_types);
    }
    for (uint32_t i = 0; i < dst->n_types; i++) {
        m->types[i] = find_type(src, dst, &dst->types[i]);
        if (m->types[i] == UINT32_MAX) {
            return rp_error_set(err, 0, "cannot merge: only one of the profiles measures %s in %s",
                                rp_profile_str(dst, dst->types[i].type, NULL),
                                rp_profile_str(dst, dst->types[i].unit, NULL));
        }
    }
    return 0;
}

static void map_strings(struct rp_profile *dst, const struct rp_profile *src, struct maps *m)
{
    for (uint32_t i = 0; i < src->strings.n; i++) {
        size_t len;
        const char *s = rp_profile_str(src, i, &len);
        m->strings[i] = rp_profile_string(dst, s, len);
    }
}

static void map_stacks(struct rp_profile *dst, const struct rp_profile *src, struct maps *m)
{
    for (uint32_t i = 0; i < src->n_functions; i++) {
        const struct rp_function *f = &src->functions[i];
        m->functions[i] =
            rp_profile_function(dst, m->strings[f->name], m->strings[f->file], f->start_line);
    }
    for (uint32_t i = 0; i < src->n_frames; i++) {
        m->frames[i] =
            rp_profile_frame(dst, m->functions[src->frames[i].function], src->frames[i].line);
    }
    for (uint32_t i = 1; i < src->n_nodes; i++) {
        m->nodes[i] =
            rp_profile_node(dst, m->nodes[src->nodes[i].parent], m->frames[src->nodes[i].frame]);
    }
}

static int map_label_sets(struct rp_profile *dst, const struct rp_profile *src, struct maps *m)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < src->n_label_sets; i++) {
        most = src->label_sets[i].count > most ? src->label_sets[i].count : most;
    }
    struct rp_label *labels = calloc(most + 1ull, sizeof(*labels));
    if (!labels) {
        return -1;
    }
    for (uint32_t i = 1; i < src->n_label_sets; i++) {
        const struct rp_label_set *set = &src->label_sets[i];
        for (uint32_t j = 0; j < set->count; j++) {
            const struct rp_label *l = &src->labels[set->first + j];
            labels[j] = (struct rp_label){m->strings[l->key], m->strings[l->str], l->num,
                                          m->strings[l->unit]};
        }
        m->label_sets[i] = rp_profile_label_set(dst, labels, set->count);
    }
    free(labels);
    return 0;
}

static int add_samples(struct rp_profile *dst, const struct rp_profile *src, const struct maps *m)
{
    int64_t *values = calloc(src->n_types + 1ull, sizeof(*values));

    if (!values) {
        return -1;
    }
    for (uint32_t i = 0; i < src->n_samples; i++) {
        for (uint32_t t = 0; t < dst->n_types; t++) {
            values[t] = src->values[(size_t)i * src->n_types + m->types[t]];
        }
        rp_profile_add(dst, m->nodes[src->samples[i].node],
                       m->label_sets[src->samples[i].label_set], values);
    }
    free(values);
    return 0;
}

static void add_comments(struct rp_profile *dst, const struct rp_profile *src, const struct maps *m)
{
    for (uint32_t i = 0; i < src->n_comments; i++) {
        uint32_t id = m->strings[src->comments[i]], j = 0;
        while (j < dst->n_comments && dst->comments[j] != id) {
            j++;
        }
        if (j == dst->n_comments) {
            rp_profile_comment(dst, "%s", rp_profile_str(src, src->comments[i], NULL));
        }
    }
}

static void add_times(struct rp_profile *dst, const struct rp_profile *src)
{
    if (dst->time_ns == 0 || src->time_ns == 0) {
        dst->time_ns = dst->time_ns ? dst->time_ns : src->time_ns;
        if (src->duration_ns > dst->duration_ns) {
            dst->duration_ns = src->duration_ns;
        }
        return;
    }
    int64_t dst_end = rp_add_clamped(dst->time_ns, dst->duration_ns);
    int64_t src_end = rp_add_clamped(src->time_ns, src->duration_ns);
    int64_t end = src_end > dst_end ? src_end : dst_end;
    int64_t start = src->time_ns < dst->time_ns ? src->time_ns : dst->time_ns;
    dst->time_ns = start;
    if (__builtin_sub_overflow(end, start, &dst->duration_ns)) {
        dst->duration_ns = INT64_MAX;
    }
}

/* What describes the run: the first profile that says something wins; counters are added. */
static void add_header(struct rp_profile *dst, const struct rp_profile *src, const struct maps *m)
{
    add_times(dst, src);
    if (dst->period == 0) {
        dst->period = src->period;
        dst->period_type = (struct rp_value_type){m->strings[src->period_type.type],
                                                  m->strings[src->period_type.unit]};
    }
    if (dst->doc_url == 0) {
        dst->doc_url = m->strings[src->doc_url];
    }
    if (dst->mode == 0) {
        dst->mode = m->strings[src->mode];
    }
    if (dst->frequency_hz == 0) {
        dst->frequency_hz = src->frequency_hz;
    }
    dst->sampling_count += src->sampling_count;
    dst->sampling_time_ns += src->sampling_time_ns;
    add_comments(dst, src, m);
}

int rp_profile_merge(struct rp_profile *dst, const struct rp_profile *src, struct rp_error *err)
{
    struct maps m = {0};
    int rc = -1;

    if (make_maps(&m, src) != 0) {
        rp_error_set(err, ENOMEM, "cannot merge profiles");
        goto out;
    }
    map_strings(dst, src, &m);
    if (map_types(dst, src, &m, err) != 0) {
        goto out;
    }
    map_stacks(dst, src, &m);
    if (dst->oom || map_label_sets(dst, src, &m) != 0 || add_samples(dst, src, &m) != 0) {
        rp_error_set(err, ENOMEM, "cannot merge profiles");
        goto out;
    }
    add_header(dst, src, &m);
    if (dst->oom) {
        rp_error_set(err, ENOMEM, "cannot merge profiles");
        goto out;
    }
    rc = 0;
out:
    free_maps(&m);
    return rc;
}
