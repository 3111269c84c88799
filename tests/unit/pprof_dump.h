/*
 * pprof_dump.h - an independent reader of pprof for the tests: it shares no code with encoders/ but
 * the buffer, trusts nothing and prints the profile as text that golden files hold.
 */
#ifndef TEST_PPROF_DUMP_H
#define TEST_PPROF_DUMP_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct dump_part {
    const uint8_t *at, *end;
};

/* The parts of the file that others refer to. */
struct dump {
    FILE *out;
    struct dump_part whole;
    struct dump_part strings[256];
    int n_strings;
};

static inline uint64_t dump_varint(struct dump_part *m)
{
    uint64_t value = 0;

    for (int shift = 0;; shift += 7) {
        ck_assert_msg(m->at < m->end && shift < 70, "varint cut short");
        value |= (uint64_t)(*m->at & 127) << shift;
        if (*m->at++ < 128) {
            return value;
        }
    }
}

/* The next field; fails the test on anything but varints and lengths, which is all we write. */
static inline uint32_t dump_field(struct dump_part *m, uint64_t *value, struct dump_part *part)
{
    if (m->at == m->end) {
        return 0;
    }
    uint64_t key = dump_varint(m);
    *part = (struct dump_part){NULL, NULL};
    *value = dump_varint(m);
    if ((key & 7) == 2) {
        ck_assert_uint_le(*value, (uint64_t)(m->end - m->at));
        *part = (struct dump_part){m->at, m->at + *value};
        m->at += *value;
    } else {
        ck_assert_uint_eq(key & 7, 0);
    }
    return (uint32_t)(key >> 3);
}

/* Prints string i; bytes that a golden file should not hold as \xNN. */
static inline void dump_string(struct dump *d, uint64_t i)
{
    ck_assert_uint_lt(i, (uint64_t)d->n_strings);
    for (const uint8_t *s = d->strings[i].at; s < d->strings[i].end; s++) {
        fprintf(d->out, *s < 32 || *s == 127 ? "\\x%02X" : "%c", *s);
    }
}

/* Numeric fields 1 to n - 1 of the message of kind `field` with that id (0: the id is not asked).
 */
static inline void dump_find(struct dump *d, uint32_t field, uint64_t id, uint64_t *out, uint32_t n,
                             struct dump_part *line)
{
    struct dump_part file = d->whole, part, inner;
    uint64_t value;

    for (uint32_t f; (f = dump_field(&file, &value, &part));) {
        if (f != field) {
            continue;
        }
        memset(out, 0, n * sizeof(*out));
        for (uint32_t g; (g = dump_field(&part, &value, &inner));) {
            ck_assert_uint_lt(g, n);
            out[g] = value;
            *line = inner.at ? inner : *line;
        }
        if (out[1] == id) {
            return;
        }
    }
    ck_abort_msg("id %llu is not there", (unsigned long long)id);
}

static inline void dump_location(struct dump *d, uint64_t id)
{
    uint64_t location[5], line[3] = {0}, function[6], value;
    struct dump_part line_part = {NULL, NULL}, none;

    dump_find(d, 4, id, location, 5, &line_part);
    for (uint32_t f; (f = dump_field(&line_part, &value, &none));) {
        ck_assert_uint_lt(f, 3);
        line[f] = value;
    }
    dump_find(d, 5, line[1], function, 6, &none);
    ck_assert_uint_eq(function[3], 0); /* a system name would make go tool pprof demangle <main> */
    fputs("  ", d->out);
    dump_string(d, function[2]);
    fprintf(d->out, " line %d in ", (int)line[2]);
    dump_string(d, function[4]);
    fprintf(d->out, " from %d\n", (int)function[5]);
}

static inline void dump_label(struct dump *d, struct dump_part label)
{
    uint64_t fields[5] = {0}, value;
    struct dump_part none;

    for (uint32_t f; (f = dump_field(&label, &value, &none));) {
        ck_assert_uint_lt(f, 5);
        fields[f] = value;
    }
    fputc(' ', d->out);
    dump_string(d, fields[1]);
    fputc('=', d->out);
    if (fields[2]) {
        dump_string(d, fields[2]);
    } else {
        fprintf(d->out, "#%lld", (long long)fields[3]);
        dump_string(d, fields[4]);
    }
}

static inline void dump_sample(struct dump *d, struct dump_part sample)
{
    struct dump_part part, locations = {NULL, NULL};
    uint64_t value;

    fputs("sample", d->out);
    for (uint32_t f; (f = dump_field(&sample, &value, &part));) {
        if (f == 1) {
            locations = part;
        } else if (f == 2) {
            while (part.at < part.end) {
                fprintf(d->out, " %lld", (long long)dump_varint(&part));
            }
        } else {
            ck_assert_uint_eq(f, 3);
            dump_label(d, part);
        }
    }
    fputc('\n', d->out);
    while (locations.at < locations.end) {
        dump_location(d, dump_varint(&locations));
    }
}

static inline void dump_type(struct dump *d, const char *what, struct dump_part type)
{
    uint64_t fields[3] = {0}, value;
    struct dump_part none;

    for (uint32_t f; (f = dump_field(&type, &value, &none));) {
        ck_assert_uint_lt(f, 3);
        fields[f] = value;
    }
    fprintf(d->out, "%s ", what);
    dump_string(d, fields[1]);
    fputc('/', d->out);
    dump_string(d, fields[2]);
    fputc('\n', d->out);
}

static inline void dump_named(struct dump *d, const char *what, uint64_t string)
{
    fprintf(d->out, "%s ", what);
    dump_string(d, string);
    fputc('\n', d->out);
}

static inline void dump_top(struct dump *d, uint32_t field, uint64_t value, struct dump_part part)
{
    switch (field) {
    case 1:
        dump_type(d, "type", part);
        break;
    case 2:
        dump_sample(d, part);
        break;
    case 4:
    case 5:
    case 6:
        break;
    case 11:
        dump_type(d, "period", part);
        break;
    case 13:
        dump_named(d, "comment", value);
        break;
    case 14:
        dump_named(d, "default", value);
        break;
    case 15:
        dump_named(d, "doc", value);
        break;
    default:
        fprintf(d->out, "field %u = %llu\n", field, (unsigned long long)value);
    }
}

/* Prints the uncompressed profile. */
static inline void dump_pprof(const void *data, size_t size, FILE *out)
{
    struct dump d = {.out = out, .whole = {data, (const uint8_t *)data + size}};
    struct dump_part file = d.whole, part;
    uint64_t value;

    for (uint32_t f; (f = dump_field(&file, &value, &part));) {
        if (f == 6) {
            ck_assert_int_lt(d.n_strings, 256);
            d.strings[d.n_strings++] = part;
        }
    }
    ck_assert_ptr_eq(d.strings[0].at, d.strings[0].end);
    file = d.whole;
    for (uint32_t f; (f = dump_field(&file, &value, &part));) {
        dump_top(&d, f, value, part);
    }
}

#endif
