/*
 * text.c - the report for people: totals, then the top functions by flat and by cumulative value,
 * in the layout of the Ruby gem rperf.
 *
 * All that comes from the profile is cleaned (plain.h): a report goes to terminals.
 */
#include "encode.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plain.h"
#include "query.h"

enum { TOP_N = 50, NUMBER_BYTES = 64 };

struct report {
    const struct rp_profile *p;
    struct rp_sink *sink;
    double ms_per_unit; /* of the values' unit; 0: it is no time, values are shown as they are */
    struct rp_function_table table;
    struct rp_buf line;
};

/* Milliseconds in one value of that unit; 0: it is no unit of time. */
static double ms_per_unit(const char *unit)
{
    static const struct {
        const char *unit;
        double ms;
    } times[] = {
        {"nanoseconds", 1e-6}, {"microseconds", 1e-3}, {"milliseconds", 1}, {"seconds", 1e3}};

    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        if (strcmp(unit, times[i].unit) == 0) {
            return times[i].ms;
        }
    }
    return 0;
}

static double shown(const struct report *r, int64_t value)
{
    return (double)value * (r->ms_per_unit > 0 ? r->ms_per_unit : 1);
}

static void add_text(struct report *r, const char *text)
{
    rp_buf_add(&r->line, text, strlen(text));
}

static void add_string(struct report *r, uint32_t id)
{
    size_t len;
    const char *s = rp_profile_str(r->p, id, &len);

    rp_plain_add(&r->line, s, len, ';');
}

static void add_unit(struct report *r)
{
    if (r->ms_per_unit > 0) {
        add_text(r, "ms");
    } else {
        add_string(r, r->p->types[r->p->default_type].unit);
    }
}

/* Writes what was put together, with a newline, and empties it. */
static void end_line(struct report *r)
{
    add_text(r, "\n");
    if (r->line.oom) {
        rp_sink_fail(r->sink, ENOMEM, "cannot write the report");
    }
    rp_sink_write(r->sink, r->line.data, r->line.size);
    r->line.size = 0;
}

/* value with one decimal and a comma between thousands ("-5,609.2") into out. */
static void format_thousands(char out[NUMBER_BYTES], double value)
{
    char digits[NUMBER_BYTES / 2];
    size_t n = 0;

    snprintf(digits, sizeof(digits), "%.1f", value);
    const char *from = digits;
    if (*from == '-') {
        out[n++] = *from++;
    }
    for (size_t left = strcspn(from, "."); *from; from++) {
        out[n++] = *from;
        if (left > 0 && --left > 0 && left % 3 == 0) {
            out[n++] = ',';
        }
    }
    out[n] = '\0';
}

static void write_row(struct report *r, const struct rp_function_row *row, int64_t value)
{
    char number[NUMBER_BYTES], text[NUMBER_BYTES + 16];
    double total = (double)r->table.total;

    format_thousands(number, shown(r, value));
    snprintf(text, sizeof(text), "  %14s ", number);
    add_text(r, text);
    add_unit(r);
    snprintf(text, sizeof(text), " %5.1f%%  ", total != 0 ? (double)value * 100.0 / total : 0.0);
    add_text(r, text);
    add_string(r, row->name);
    if (row->file) {
        add_text(r, " (");
        add_string(r, row->file);
        add_text(r, ")");
    }
    end_line(r);
}

static void write_table(struct report *r, enum rp_sort by)
{
    int rows = 0;

    rp_function_table_sort(r->p, &r->table, by);
    for (uint32_t i = 0; i < r->table.n && rows < TOP_N; i++) {
        const struct rp_function_row *row = &r->table.rows[i];
        int64_t value = by == RP_SORT_FLAT ? row->flat : row->cum;
        if (value != 0) {
            write_row(r, row, value);
            rows++;
        }
    }
}

/* How many samples were taken: as the run says, else as a type "samples" of the values says, else
 * as many as there are. */
static uint64_t count_samples(const struct rp_profile *p)
{
    if (p->sampling_count > 0) {
        return p->sampling_count;
    }
    for (uint32_t t = 0; t < p->n_types; t++) {
        if (strcmp(rp_profile_str(p, p->types[t].type, NULL), "samples") == 0) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < p->n_samples; i++) {
                sum += (uint64_t)p->values[(size_t)i * p->n_types + t];
            }
            return sum;
        }
    }
    return p->n_samples;
}

static void write_header(struct report *r)
{
    const struct rp_profile *p = r->p;
    char text[NUMBER_BYTES];

    snprintf(text, sizeof(text), "Total: %.1f", shown(r, r->table.total));
    add_text(r, text);
    add_unit(r);
    add_text(r, " (");
    add_string(r, p->mode ? p->mode : p->types[p->default_type].type);
    add_text(r, ")");
    end_line(r);
    rp_sink_printf(r->sink, "Samples: %llu, Frequency: %lluHz\n\n",
                   (unsigned long long)count_samples(p), (unsigned long long)p->frequency_hz);
}

/* Writes the report of p by its default type. */
void rp_encode_text(const struct rp_profile *p, struct rp_sink *s)
{
    struct report r = {.p = p, .sink = s};
    struct rp_query query = {.type = p->default_type};
    struct rp_error err;

    if (p->n_samples == 0 || p->default_type >= p->n_types) {
        rp_sink_puts(s, "No samples recorded.\n");
        return;
    }
    r.ms_per_unit = ms_per_unit(rp_profile_str(p, p->types[p->default_type].unit, NULL));
    if (rp_query_functions(p, &query, &r.table, &err) == 0) {
        write_header(&r);
        rp_sink_puts(s, " Flat:\n");
        write_table(&r, RP_SORT_FLAT);
        rp_sink_puts(s, "\n Cumulative:\n");
        write_table(&r, RP_SORT_CUM);
    } else {
        rp_sink_fail(s, err.errnum, "cannot write the report");
    }
    rp_function_table_free(&r.table);
    rp_buf_free(&r.line);
}
