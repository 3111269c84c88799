/*
 * pprof.c - writes a profile as the protocol buffer of pprof (profile.proto), uncompressed; the
 * sink makes gzip of it.
 *
 * Ids of the file are ids of the model: string i is string i, function and location i + 1 (0 means
 * none there) are function and frame i. Each submessage is put together in one buffer that is used
 * again, then written behind its length.
 */
#include "encode.h"

#include <errno.h>
#include <stdlib.h>

#include "pprof_fields.h"
#include "utf8.h"

enum { MAX_VARINT_BYTES = 10 };

struct encoder {
    const struct rp_profile *p;
    struct rp_sink *sink;
    struct rp_buf message; /* a message of the top level */
    struct rp_buf inner;   /* one inside of it */
};

static size_t put_varint(uint8_t out[MAX_VARINT_BYTES], uint64_t value)
{
    size_t n = 0;

    for (; value >= 0x80; value >>= 7) {
        out[n++] = (uint8_t)(value | 0x80);
    }
    out[n++] = (uint8_t)value;
    return n;
}

static void add_varint(struct rp_buf *b, uint64_t value)
{
    uint8_t bytes[MAX_VARINT_BYTES];

    rp_buf_add(b, bytes, put_varint(bytes, value));
}

static uint64_t tag(uint32_t field, enum rp_wire wire)
{
    return (uint64_t)field << 3 | wire;
}

/* A number; 0 is what a field that is not there means, so it is left out. */
static void add_number(struct rp_buf *b, uint32_t field, uint64_t value)
{
    if (value != 0) {
        add_varint(b, tag(field, RP_WIRE_VARINT));
        add_varint(b, value);
    }
}

static void add_bytes(struct rp_buf *b, uint32_t field, const struct rp_buf *bytes)
{
    add_varint(b, tag(field, RP_WIRE_BYTES));
    add_varint(b, bytes->size);
    rp_buf_add(b, bytes->data, bytes->size);
}

static void write_bytes(struct rp_sink *s, uint32_t field, const void *data, size_t size)
{
    uint8_t head[2 * MAX_VARINT_BYTES];
    size_t n = put_varint(head, tag(field, RP_WIRE_BYTES));

    n += put_varint(head + n, size);
    rp_sink_write(s, head, n);
    rp_sink_write(s, data, size);
}

static void write_number(struct rp_sink *s, uint32_t field, uint64_t value)
{
    uint8_t bytes[2 * MAX_VARINT_BYTES];

    if (value != 0) {
        size_t n = put_varint(bytes, tag(field, RP_WIRE_VARINT));
        n += put_varint(bytes + n, value);
        rp_sink_write(s, bytes, n);
    }
}

/* Writes e->message as a field of the profile and empties it. */
static void write_message(struct encoder *e, uint32_t field)
{
    write_bytes(e->sink, field, e->message.data, e->message.size);
    e->message.size = 0;
}

static void write_value_type(struct encoder *e, uint32_t field, const struct rp_value_type *t)
{
    add_number(&e->message, RP_VALUE_TYPE_TYPE, t->type);
    add_number(&e->message, RP_VALUE_TYPE_UNIT, t->unit);
    write_message(e, field);
}

static void add_labels(struct encoder *e, uint32_t id)
{
    const struct rp_label_set *set = &e->p->label_sets[id];

    for (uint32_t i = 0; i < set->count; i++) {
        const struct rp_label *l = &e->p->labels[set->first + i];
        e->inner.size = 0;
        add_number(&e->inner, RP_LABEL_KEY, l->key);
        if (l->str) {
            add_number(&e->inner, RP_LABEL_STR, l->str);
        } else {
            add_number(&e->inner, RP_LABEL_NUM, (uint64_t)l->num);
            add_number(&e->inner, RP_LABEL_NUM_UNIT, l->unit);
        }
        add_bytes(&e->message, RP_SAMPLE_LABEL, &e->inner);
    }
}

static void write_sample(struct encoder *e, uint32_t id)
{
    const struct rp_profile *p = e->p;
    const struct rp_sample *sample = &p->samples[id];

    e->inner.size = 0;
    for (uint32_t node = sample->node; node; node = p->nodes[node].parent) {
        add_varint(&e->inner, p->nodes[node].frame + 1ull);
    }
    if (e->inner.size > 0) {
        add_bytes(&e->message, RP_SAMPLE_LOCATION, &e->inner);
    }
    e->inner.size = 0;
    for (uint32_t t = 0; t < p->n_types; t++) {
        add_varint(&e->inner, (uint64_t)p->values[(size_t)id * p->n_types + t]);
    }
    add_bytes(&e->message, RP_SAMPLE_VALUE, &e->inner);
    add_labels(e, sample->label_set);
    write_message(e, RP_PROFILE_SAMPLE);
}

static void write_locations(struct encoder *e)
{
    for (uint32_t i = 0; i < e->p->n_frames; i++) {
        const struct rp_frame *f = &e->p->frames[i];
        e->inner.size = 0;
        add_number(&e->inner, RP_LINE_FUNCTION, f->function + 1ull);
        add_number(&e->inner, RP_LINE_LINE, f->line > 0 ? (uint64_t)f->line : 0);
        add_number(&e->message, RP_LOCATION_ID, i + 1ull);
        add_bytes(&e->message, RP_LOCATION_LINE, &e->inner);
        write_message(e, RP_PROFILE_LOCATION);
    }
}

/* There is no system name: go tool pprof takes a function whose two names are equal for a mangled
 * C++ one and makes "" of <main>. */
static void write_functions(struct encoder *e)
{
    for (uint32_t i = 0; i < e->p->n_functions; i++) {
        const struct rp_function *f = &e->p->functions[i];
        add_number(&e->message, RP_FUNCTION_ID, i + 1ull);
        add_number(&e->message, RP_FUNCTION_NAME, f->name);
        add_number(&e->message, RP_FUNCTION_FILE, f->file);
        add_number(&e->message, RP_FUNCTION_START_LINE,
                   f->start_line > 0 ? (uint64_t)f->start_line : 0);
        write_message(e, RP_PROFILE_FUNCTION);
    }
}

static void write_repaired(struct encoder *e, const char *s, size_t len)
{
    char *text = malloc(3 * len);

    if (!text) {
        rp_sink_fail(e->sink, ENOMEM, "cannot encode the profile");
        return;
    }
    write_bytes(e->sink, RP_PROFILE_STRING, text, rp_utf8_repair(text, 3 * len, s, len));
    free(text);
}

static void write_strings(struct encoder *e)
{
    for (uint32_t i = 0; i < e->p->strings.n; i++) {
        size_t len;
        const char *s = rp_profile_str(e->p, i, &len);
        if (rp_utf8_is_valid(s, len)) {
            write_bytes(e->sink, RP_PROFILE_STRING, s, len);
        } else {
            write_repaired(e, s, len);
        }
    }
}

static void write_header(struct encoder *e)
{
    const struct rp_profile *p = e->p;

    write_number(e->sink, RP_PROFILE_TIME_NANOS, (uint64_t)p->time_ns);
    write_number(e->sink, RP_PROFILE_DURATION_NANOS, (uint64_t)p->duration_ns);
    if (p->period_type.type) {
        write_value_type(e, RP_PROFILE_PERIOD_TYPE, &p->period_type);
    }
    write_number(e->sink, RP_PROFILE_PERIOD, (uint64_t)p->period);
    for (uint32_t i = 0; i < p->n_comments; i++) {
        write_number(e->sink, RP_PROFILE_COMMENT, p->comments[i]);
    }
    if (p->default_type < p->n_types) {
        write_number(e->sink, RP_PROFILE_DEFAULT_TYPE, p->types[p->default_type].type);
    }
    write_number(e->sink, RP_PROFILE_DOC_URL, p->doc_url);
}

/* Writes p as an uncompressed pprof profile. */
void rp_encode_pprof(const struct rp_profile *p, struct rp_sink *s)
{
    struct encoder e = {.p = p, .sink = s};

    for (uint32_t i = 0; i < p->n_types; i++) {
        write_value_type(&e, RP_PROFILE_SAMPLE_TYPE, &p->types[i]);
    }
    for (uint32_t i = 0; i < p->n_samples; i++) {
        write_sample(&e, i);
    }
    write_locations(&e);
    write_functions(&e);
    write_strings(&e);
    write_header(&e);
    if (e.message.oom || e.inner.oom) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
    }
    rp_buf_free(&e.message);
    rp_buf_free(&e.inner);
}
