/*
 * pprof_parts.c - the first pass over a pprof file: all but the samples, as it is written.
 *
 * Nothing is looked up yet, as the parts of a file may come in any order.
 */
#include "pprof_parts.h"

#include <errno.h>
#include <stdlib.h>

#include "pprof_fields.h"

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void sort_by_id(struct rp_buf *items, size_t item_bytes)
{
    if (items->size > 0) {
        qsort(items->data, items->size / item_bytes, item_bytes, compare_ids);
    }
}

/* The item of a sorted array with that id; NULL: there is none. Nearly always ids are 1, 2, 3, ...
 */
void *rp_pprof_find(const struct rp_buf *items, size_t item_bytes, uint64_t id)
{
    size_t n = items->size / item_bytes;

    if (id - 1 < n) {
        char *item = items->data + (id - 1) * item_bytes;
        if (*(const uint64_t *)(const void *)item == id) {
            return item;
        }
    }
    return n ? bsearch(&id, items->data, n, item_bytes, compare_ids) : NULL;
}

static int out_of_memory(const struct rp_pprof_parts *parts)
{
    return parts->strings.oom || parts->functions.oom || parts->mappings.oom ||
           parts->locations.oom || parts->lines.oom || parts->types.oom || parts->comments.oom;
}

/* Reads a message whose numeric fields 1 to n - 1 go to out[field]. */
static int read_numbers(struct rp_wire_reader body, uint64_t *out, uint32_t n, struct rp_error *err)
{
    struct rp_wire_field f;
    int rc;

    while ((rc = rp_wire_next(&body, &f, err)) > 0) {
        if (f.number < n) {
            out[f.number] = f.value;
        }
    }
    return rc;
}

static int read_value_type(struct rp_wire_reader body, struct rp_pprof_value_type *to,
                           struct rp_error *err)
{
    uint64_t fields[RP_VALUE_TYPE_UNIT + 1] = {0};

    if (read_numbers(body, fields, RP_VALUE_TYPE_UNIT + 1, err) != 0) {
        return -1;
    }
    *to = (struct rp_pprof_value_type){fields[RP_VALUE_TYPE_TYPE], fields[RP_VALUE_TYPE_UNIT]};
    return 0;
}

static int read_type(struct rp_pprof_parts *parts, struct rp_wire_reader body, struct rp_error *err)
{
    struct rp_pprof_value_type type;

    if (read_value_type(body, &type, err) != 0) {
        return -1;
    }
    rp_buf_add(&parts->types, &type, sizeof(type));
    return 0;
}

static int read_function(struct rp_pprof_parts *parts, struct rp_wire_reader body,
                         struct rp_error *err)
{
    uint64_t fields[RP_FUNCTION_START_LINE + 1] = {0};

    if (read_numbers(body, fields, RP_FUNCTION_START_LINE + 1, err) != 0) {
        return -1;
    }
    struct rp_pprof_function f = {
        .id = fields[RP_FUNCTION_ID],
        .name = fields[RP_FUNCTION_NAME],
        .system_name = fields[RP_FUNCTION_SYSTEM_NAME],
        .file = fields[RP_FUNCTION_FILE],
        .start_line = fields[RP_FUNCTION_START_LINE],
    };
    rp_buf_add(&parts->functions, &f, sizeof(f));
    return 0;
}

static int read_mapping(struct rp_pprof_parts *parts, struct rp_wire_reader body,
                        struct rp_error *err)
{
    uint64_t fields[RP_MAPPING_FILE + 1] = {0};

    if (read_numbers(body, fields, RP_MAPPING_FILE + 1, err) != 0) {
        return -1;
    }
    struct rp_pprof_mapping m = {fields[RP_MAPPING_ID], fields[RP_MAPPING_FILE]};
    rp_buf_add(&parts->mappings, &m, sizeof(m));
    return 0;
}

static int read_line(struct rp_pprof_parts *parts, struct rp_wire_reader body, struct rp_error *err)
{
    uint64_t fields[RP_LINE_LINE + 1] = {0};

    if (read_numbers(body, fields, RP_LINE_LINE + 1, err) != 0) {
        return -1;
    }
    struct rp_pprof_line line = {fields[RP_LINE_FUNCTION], fields[RP_LINE_LINE]};
    rp_buf_add(&parts->lines, &line, sizeof(line));
    return 0;
}

static int read_location(struct rp_pprof_parts *parts, struct rp_wire_reader body,
                         struct rp_error *err)
{
    struct rp_pprof_location l = {.first = RP_N_ITEMS(parts->lines, struct rp_pprof_line)};
    struct rp_wire_field f;
    int rc;

    while ((rc = rp_wire_next(&body, &f, err)) > 0) {
        if (f.number == RP_LOCATION_ID) {
            l.id = f.value;
        } else if (f.number == RP_LOCATION_MAPPING) {
            l.mapping = f.value;
        } else if (f.number == RP_LOCATION_ADDRESS) {
            l.address = f.value;
        } else if (f.number == RP_LOCATION_LINE && read_line(parts, f.body, err) != 0) {
            return -1;
        }
    }
    l.count = RP_N_ITEMS(parts->lines, struct rp_pprof_line) - l.first;
    rp_buf_add(&parts->locations, &l, sizeof(l));
    return rc;
}

static int read_string(struct rp_pprof_parts *parts, struct rp_profile *p,
                       const struct rp_wire_reader *body)
{
    uint32_t id = rp_profile_string(p, (const char *)body->at, (size_t)(body->end - body->at));

    rp_buf_add(&parts->strings, &id, sizeof(id));
    return 0;
}

static int read_comments(struct rp_pprof_parts *parts, struct rp_wire_reader list,
                         struct rp_error *err)
{
    uint64_t comment;
    int rc;

    while ((rc = rp_wire_number(&list, &comment, err)) > 0) {
        rp_buf_add(&parts->comments, &comment, sizeof(comment));
    }
    return rc;
}

static int read_part(struct rp_pprof_parts *parts, struct rp_profile *p,
                     const struct rp_wire_field *f, struct rp_error *err)
{
    switch (f->number) {
    case RP_PROFILE_SAMPLE_TYPE:
        return read_type(parts, f->body, err);
    case RP_PROFILE_MAPPING:
        return read_mapping(parts, f->body, err);
    case RP_PROFILE_LOCATION:
        return read_location(parts, f->body, err);
    case RP_PROFILE_FUNCTION:
        return read_function(parts, f->body, err);
    case RP_PROFILE_STRING:
        return read_string(parts, p, &f->body);
    case RP_PROFILE_TIME_NANOS:
        p->time_ns = (int64_t)f->value;
        return 0;
    case RP_PROFILE_DURATION_NANOS:
        p->duration_ns = (int64_t)f->value;
        return 0;
    case RP_PROFILE_PERIOD_TYPE:
        return read_value_type(f->body, &parts->period_type, err);
    case RP_PROFILE_PERIOD:
        p->period = (int64_t)f->value;
        return 0;
    case RP_PROFILE_COMMENT:
        return read_comments(parts, f->body, err);
    case RP_PROFILE_DEFAULT_TYPE:
        parts->default_type = f->value;
        return 0;
    case RP_PROFILE_DOC_URL:
        parts->doc_url = f->value;
        return 0;
    default:
        return 0;
    }
}

/* Reads everything but the samples. p gets the strings and the numbers of the header. 0, or -1 with
 * err; free the parts in both cases. */
int rp_pprof_read_parts(struct rp_wire_reader file, struct rp_pprof_parts *parts,
                        struct rp_profile *p, struct rp_error *err)
{
    struct rp_wire_field f;
    int rc;

    *parts = (struct rp_pprof_parts){0};
    while ((rc = rp_wire_next(&file, &f, err)) > 0) {
        if (read_part(parts, p, &f, err) != 0) {
            return -1;
        }
    }
    if (rc == 0 && out_of_memory(parts)) {
        return rp_error_set(err, ENOMEM, "cannot read the profile");
    }
    sort_by_id(&parts->functions, sizeof(struct rp_pprof_function));
    sort_by_id(&parts->mappings, sizeof(struct rp_pprof_mapping));
    sort_by_id(&parts->locations, sizeof(struct rp_pprof_location));
    return rc;
}

/* Frees what the parts hold. */
void rp_pprof_parts_free(struct rp_pprof_parts *parts)
{
    rp_buf_free(&parts->strings);
    rp_buf_free(&parts->functions);
    rp_buf_free(&parts->mappings);
    rp_buf_free(&parts->locations);
    rp_buf_free(&parts->lines);
    rp_buf_free(&parts->types);
    rp_buf_free(&parts->comments);
}
