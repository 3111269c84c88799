/*
 * pprof_read.c - reads pprof profiles; see pprof_read.h.
 *
 * First all but the samples is read (pprof_parts.c) and gets its names, then the samples are added.
 * The work is bounded by the size of the file, also where a short file refers many times to a
 * location of many lines.
 */
#include "pprof_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gunzip.h"
#include "pprof_fields.h"
#include "pprof_parts.h"
#include "wire.h"

/* Frames in all stacks together: this many for each byte of the file. */
enum { FRAMES_PER_BYTE = 16, FRAMES_ALWAYS = 4096 };

#define NS_PER_SECOND 1000000000

struct decoder {
    struct rp_profile *p;
    struct rp_error *err;
    struct rp_pprof_parts parts;
    struct rp_buf frames; /* uint32_t, of the locations */
    size_t frames_left;
    /* of the sample at hand, and the stack of the one before: what both begin with is not looked up
     * again */
    struct rp_buf locations; /* size_t: index, innermost first */
    struct rp_buf values, labels;
    struct rp_buf stack, nodes; /* uint32_t: frames outermost first; the node of each */
};

static int missing(struct decoder *d, const char *what, uint64_t id)
{
    rp_error_set(d->err, 0, "%s %" PRIu64 " is not there", what, id);
    return -1;
}

/* Id in the profile of string number i of the file. */
static int get_string(struct decoder *d, uint64_t i, uint32_t *id)
{
    if (i == 0) {
        *id = 0;
        return 0;
    }
    if (i >= RP_N_ITEMS(d->parts.strings, uint32_t)) {
        return missing(d, "string", i);
    }
    *id = RP_ITEMS(d->parts.strings, uint32_t)[i];
    return 0;
}

static int32_t clamp_line(uint64_t line)
{
    return line > INT32_MAX ? 0 : (int32_t)line; /* a negative one is beyond that as well */
}

/* ---- names ---- */

static int name_functions(struct decoder *d)
{
    struct rp_pprof_function *f = RP_ITEMS(d->parts.functions, struct rp_pprof_function);

    for (size_t n = RP_N_ITEMS(d->parts.functions, struct rp_pprof_function); n > 0; n--, f++) {
        uint32_t name, file;
        if (get_string(d, f->name ? f->name : f->system_name, &name) != 0 ||
            get_string(d, f->file, &file) != 0) {
            return -1;
        }
        f->function = rp_profile_function(d->p, name, file, clamp_line(f->start_line));
    }
    return 0;
}

/* The frame of a location without lines: its address, in the file of its mapping. */
static int name_address(struct decoder *d, const struct rp_pprof_location *l)
{
    char text[32];
    uint32_t file = 0;
    const struct rp_pprof_mapping *m =
        l->mapping ? rp_pprof_find(&d->parts.mappings, sizeof(*m), l->mapping) : NULL;

    if (m && get_string(d, m->file, &file) != 0) {
        return -1;
    }
    snprintf(text, sizeof(text), "0x%" PRIx64, l->address);
    uint32_t name = rp_profile_cstring(d->p, text);
    uint32_t frame = rp_profile_frame(d->p, rp_profile_function(d->p, name, file, 0), 0);
    rp_buf_add(&d->frames, &frame, sizeof(frame));
    return 0;
}

static int name_lines(struct decoder *d, const struct rp_pprof_location *l)
{
    const struct rp_pprof_line *lines = RP_ITEMS(d->parts.lines, struct rp_pprof_line);

    for (size_t i = l->count; i > 0; i--) {
        const struct rp_pprof_line *line = &lines[l->first + i - 1];
        const struct rp_pprof_function *f =
            rp_pprof_find(&d->parts.functions, sizeof(*f), line->function);
        if (!f) {
            return missing(d, "function", line->function);
        }
        uint32_t frame = rp_profile_frame(d->p, f->function, clamp_line(line->line));
        rp_buf_add(&d->frames, &frame, sizeof(frame));
    }
    return 0;
}

static int name_locations(struct decoder *d)
{
    struct rp_pprof_location *l = RP_ITEMS(d->parts.locations, struct rp_pprof_location);

    for (size_t n = RP_N_ITEMS(d->parts.locations, struct rp_pprof_location); n > 0; n--, l++) {
        size_t first = RP_N_ITEMS(d->frames, uint32_t);
        if ((l->count > 0 ? name_lines(d, l) : name_address(d, l)) != 0) {
            return -1;
        }
        l->first = first;
        l->count = RP_N_ITEMS(d->frames, uint32_t) - first;
    }
    return 0;
}

static int get_value_type(struct decoder *d, const struct rp_pprof_value_type *from,
                          struct rp_value_type *to)
{
    return get_string(d, from->type, &to->type) != 0 ? -1 : get_string(d, from->unit, &to->unit);
}

static int add_types(struct decoder *d)
{
    const struct rp_pprof_value_type *types = RP_ITEMS(d->parts.types, struct rp_pprof_value_type);
    size_t n = RP_N_ITEMS(d->parts.types, struct rp_pprof_value_type);
    struct rp_value_type t;
    uint32_t wanted;

    if (n == 0 || n > UINT32_MAX / 4) {
        return rp_error_set(d->err, 0, "it has no sample type, so it is no pprof profile");
    }
    if (get_string(d, d->parts.default_type, &wanted) != 0) {
        return -1;
    }
    d->p->default_type = (uint32_t)n - 1;
    for (uint32_t i = 0; i < n; i++) {
        if (get_value_type(d, &types[i], &t) != 0) {
            return -1;
        }
        rp_profile_type(d->p, t.type, t.unit);
        if (wanted && t.type == wanted) {
            d->p->default_type = i;
        }
    }
    return 0;
}

static int add_header(struct decoder *d)
{
    struct rp_profile *p = d->p;
    const uint64_t *comments = RP_ITEMS(d->parts.comments, uint64_t);
    uint32_t comment;

    if (get_value_type(d, &d->parts.period_type, &p->period_type) != 0 ||
        get_string(d, d->parts.doc_url, &p->doc_url) != 0) {
        return -1;
    }
    for (size_t i = 0; i < RP_N_ITEMS(d->parts.comments, uint64_t); i++) {
        if (get_string(d, comments[i], &comment) != 0) {
            return -1;
        }
        rp_profile_comment(p, "%s", rp_profile_str(p, comment, NULL));
    }
    if (p->period > 0 && p->period <= NS_PER_SECOND &&
        strcmp(rp_profile_str(p, p->period_type.unit, NULL), "nanoseconds") == 0) {
        p->frequency_hz = (uint64_t)(NS_PER_SECOND / p->period);
    }
    return 0;
}

/* ---- samples ---- */

static int read_locations(struct decoder *d, struct rp_wire_reader list)
{
    const struct rp_pprof_location *all = RP_ITEMS(d->parts.locations, struct rp_pprof_location);
    uint64_t id;
    int rc;

    while ((rc = rp_wire_number(&list, &id, d->err)) > 0) {
        const struct rp_pprof_location *l = rp_pprof_find(&d->parts.locations, sizeof(*l), id);
        if (!l) {
            return missing(d, "location", id);
        }
        if (l->count > d->frames_left) {
            return rp_error_set(d->err, 0, "its stacks are too large for its size");
        }
        d->frames_left -= l->count;
        size_t index = (size_t)(l - all);
        rp_buf_add(&d->locations, &index, sizeof(index));
    }
    return rc;
}

static int read_values(struct decoder *d, struct rp_wire_reader list)
{
    uint64_t value;
    int rc;

    while ((rc = rp_wire_number(&list, &value, d->err)) > 0) {
        rp_buf_add(&d->values, &value, sizeof(value));
    }
    return rc;
}

static int read_label(struct decoder *d, struct rp_wire_reader body)
{
    struct rp_wire_field f;
    struct rp_label label = {0};
    int rc;

    while ((rc = rp_wire_next(&body, &f, d->err)) > 0) {
        if ((f.number == RP_LABEL_KEY && get_string(d, f.value, &label.key) != 0) ||
            (f.number == RP_LABEL_STR && get_string(d, f.value, &label.str) != 0) ||
            (f.number == RP_LABEL_NUM_UNIT && get_string(d, f.value, &label.unit) != 0)) {
            return -1;
        }
        if (f.number == RP_LABEL_NUM) {
            label.num = (int64_t)f.value;
        }
    }
    if (label.str) {
        label.num = 0;
        label.unit = 0;
    }
    rp_buf_add(&d->labels, &label, sizeof(label));
    return rc;
}

/* Node of the stack at hand. Frames that the stack before began with too keep their nodes. */
static uint32_t find_node(struct decoder *d)
{
    const struct rp_pprof_location *all = RP_ITEMS(d->parts.locations, struct rp_pprof_location);
    const size_t *locations = RP_ITEMS(d->locations, size_t);
    size_t before = RP_N_ITEMS(d->stack, uint32_t), depth = 0;
    uint32_t node = 0;
    int same = 1;

    for (size_t i = RP_N_ITEMS(d->locations, size_t); i > 0; i--) {
        const struct rp_pprof_location *l = &all[locations[i - 1]];
        for (size_t j = 0; j < l->count; j++, depth++) {
            uint32_t frame = RP_ITEMS(d->frames, uint32_t)[l->first + j];
            if (same && depth < before && RP_ITEMS(d->stack, uint32_t)[depth] == frame) {
                node = RP_ITEMS(d->nodes, uint32_t)[depth];
                continue;
            }
            if (same) {
                same = 0;
                d->stack.size = d->nodes.size = depth * sizeof(uint32_t);
            }
            node = rp_profile_node(d->p, node, frame);
            rp_buf_add(&d->stack, &frame, sizeof(frame));
            rp_buf_add(&d->nodes, &node, sizeof(node));
        }
    }
    return node;
}

static int out_of_memory(const struct decoder *d)
{
    return d->p->oom || d->frames.oom || d->locations.oom || d->values.oom || d->labels.oom ||
           d->stack.oom || d->nodes.oom;
}

static int read_sample(struct decoder *d, struct rp_wire_reader body)
{
    struct rp_wire_field f;
    int rc, part = 0;

    d->locations.size = d->values.size = d->labels.size = 0;
    while ((rc = rp_wire_next(&body, &f, d->err)) > 0) {
        if (f.number == RP_SAMPLE_LOCATION) {
            part = read_locations(d, f.body);
        } else if (f.number == RP_SAMPLE_VALUE) {
            part = read_values(d, f.body);
        } else if (f.number == RP_SAMPLE_LABEL) {
            part = read_label(d, f.body);
        }
        if (part != 0) {
            return -1;
        }
    }
    if (rc != 0) {
        return -1;
    }
    if (out_of_memory(d)) {
        return rp_error_set(d->err, ENOMEM, "cannot read the profile");
    }
    if (RP_N_ITEMS(d->values, int64_t) != d->p->n_types) {
        return rp_error_set(d->err, 0, "byte %zu: a sample with %zu values for %u types",
                            (size_t)(body.end - body.base), RP_N_ITEMS(d->values, int64_t),
                            d->p->n_types);
    }
    uint32_t set = rp_profile_label_set(d->p, RP_ITEMS(d->labels, struct rp_label),
                                        (uint32_t)RP_N_ITEMS(d->labels, struct rp_label));
    rp_profile_add(d->p, find_node(d), set, RP_ITEMS(d->values, int64_t));
    return 0;
}

static int read_samples(struct decoder *d, struct rp_wire_reader file)
{
    struct rp_wire_field f;
    int rc;

    while ((rc = rp_wire_next(&file, &f, d->err)) > 0) {
        if (f.number == RP_PROFILE_SAMPLE && read_sample(d, f.body) != 0) {
            return -1;
        }
    }
    if (rc == 0 && out_of_memory(d)) {
        return rp_error_set(d->err, ENOMEM, "cannot read the profile");
    }
    return rc;
}

static int read_raw(const void *data, size_t size, struct rp_profile *p, struct rp_error *err)
{
    struct rp_wire_reader file = {data, data, (const uint8_t *)data + size};
    struct decoder d = {.p = p, .err = err};
    size_t most = SIZE_MAX / FRAMES_PER_BYTE - FRAMES_ALWAYS;
    int rc = -1;

    d.frames_left = (size < most ? size : most) * FRAMES_PER_BYTE + FRAMES_ALWAYS;
    if (rp_pprof_read_parts(file, &d.parts, p, err) == 0 && add_types(&d) == 0 &&
        name_functions(&d) == 0 && name_locations(&d) == 0 && add_header(&d) == 0) {
        rc = out_of_memory(&d) ? rp_error_set(err, ENOMEM, "cannot read the profile")
                               : read_samples(&d, file);
    }
    rp_pprof_parts_free(&d.parts);
    rp_buf_free(&d.frames);
    rp_buf_free(&d.locations);
    rp_buf_free(&d.values);
    rp_buf_free(&d.labels);
    rp_buf_free(&d.stack);
    rp_buf_free(&d.nodes);
    return rc;
}

int rp_pprof_read(const void *data, size_t size, size_t max_bytes, struct rp_profile *p,
                  struct rp_error *err)
{
    struct rp_buf raw = {0};
    int rc;

    if (!rp_is_gzip(data, size)) {
        return read_raw(data, size, p, err);
    }
    rc = rp_gunzip(data, size, max_bytes, &raw, err);
    if (rc == 0) {
        rc = read_raw(raw.data, raw.size, p, err);
    }
    rp_buf_free(&raw);
    return rc;
}
