/*
 * speedscope.c - the file format of speedscope: one "sampled" profile a thread, weighed by the
 * default type.
 *
 * By the schema of speedscope's documentation: shared frames, then for each profile the stacks
 * (frame numbers, outermost first) and their weights as two arrays.
 */
#include "encode.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "clamp.h"
#include "json_text.h"
#include "thread_labels.h"

#ifndef RP_VERSION
#error "RP_VERSION comes from the Makefile"
#endif

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

struct encoder {
    const struct rp_profile *p;
    struct rp_sink *sink;
    uint32_t n_samples; /* 0 where there is no value to weigh them by */
    struct rp_thread_list threads;
    uint32_t *order;     /* samples, thread by thread */
    uint32_t *first;     /* by thread: where its samples begin in order; one more at the end */
    struct rp_buf stack; /* uint32_t: frames, leaf first */
};

static int64_t weight_of(const struct rp_profile *p, uint32_t sample)
{
    return p->values[(size_t)sample * p->n_types + p->default_type];
}

static uint32_t thread_of(const struct encoder *e, uint32_t sample)
{
    return e->threads.of_label_set[e->p->samples[sample].label_set];
}

/* Sorts the samples by thread, keeping their order otherwise. -1: out of memory. */
static int sort_by_thread(struct encoder *e)
{
    uint32_t n = e->threads.n;

    e->order = calloc(e->n_samples + 1ull, sizeof(*e->order));
    e->first = calloc(n + 2ull, sizeof(*e->first));
    if (!e->order || !e->first) {
        return -1;
    }
    for (uint32_t i = 0; i < e->n_samples; i++) {
        e->first[thread_of(e, i) + 2]++;
    }
    for (uint32_t t = 0; t < n; t++) {
        e->first[t + 2] += e->first[t + 1];
    }
    /* first[t + 1] is where the next sample of t goes; at the end it is where t ends */
    for (uint32_t i = 0; i < e->n_samples; i++) {
        e->order[e->first[thread_of(e, i) + 1]++] = i;
    }
    return 0;
}

static void write_frames(struct encoder *e)
{
    const struct rp_profile *p = e->p;

    rp_sink_puts(e->sink, "\"shared\":{\"frames\":[");
    for (uint32_t i = 0; i < p->n_frames; i++) {
        const struct rp_function *f = &p->functions[p->frames[i].function];
        rp_sink_puts(e->sink, i == 0 ? "\n{\"name\":" : ",\n{\"name\":");
        rp_json_string(e->sink, p, f->name);
        if (f->file) {
            rp_sink_puts(e->sink, ",\"file\":");
            rp_json_string(e->sink, p, f->file);
        }
        if (p->frames[i].line > 0) {
            rp_sink_printf(e->sink, ",\"line\":%d", p->frames[i].line);
        }
        rp_sink_puts(e->sink, "}");
    }
    rp_sink_puts(e->sink, "\n]}");
}

/* speedscope knows these units; all else is "none". */
static const char *unit_of(const struct rp_profile *p)
{
    static const char *const units[] = {"nanoseconds", "microseconds", "milliseconds", "seconds",
                                        "bytes"};
    const char *unit = rp_profile_str(p, p->types[p->default_type].unit, NULL);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i]) == 0) {
            return units[i];
        }
    }
    return "none";
}

/* "worker, thread 2, pid 4242", of which is said what is known. */
static void write_name(struct encoder *e, const struct rp_thread_label *t)
{
    struct rp_buf name = {0};
    char seq[32];
    size_t len;

    if (t->name) {
        const char *text = rp_profile_str(e->p, t->name, &len);
        rp_buf_add(&name, text, len);
    }
    if (t->seq) {
        int n =
            snprintf(seq, sizeof(seq), "%sthread %lld", name.size ? ", " : "", (long long)t->seq);
        rp_buf_add(&name, seq, (size_t)n);
    }
    if (t->pid) {
        const char *text = rp_profile_str(e->p, t->pid, &len);
        rp_buf_add(&name, name.size ? ", pid " : "pid ", name.size ? 6 : 4);
        rp_buf_add(&name, text, len);
    }
    if (name.size == 0) {
        rp_buf_add(&name, "all", 3);
    }
    rp_json_text(e->sink, name.data, name.size);
    rp_buf_free(&name);
}

static void write_stack(struct encoder *e, uint32_t sample)
{
    const struct rp_profile *p = e->p;

    e->stack.size = 0;
    for (uint32_t node = p->samples[sample].node; node; node = p->nodes[node].parent) {
        rp_buf_add(&e->stack, &p->nodes[node].frame, sizeof(uint32_t));
    }
    const uint32_t *frames = (const uint32_t *)(const void *)e->stack.data;
    rp_sink_puts(e->sink, "[");
    for (size_t left = e->stack.size / sizeof(uint32_t); left > 0; left--) {
        rp_sink_printf(e->sink, left > 1 ? "%u," : "%u", frames[left - 1]);
    }
    rp_sink_puts(e->sink, "]");
}

static int64_t sum_of_thread(const struct encoder *e, uint32_t thread)
{
    int64_t sum = 0;

    for (uint32_t i = e->first[thread]; i < e->first[thread + 1]; i++) {
        sum = rp_add_clamped(sum, weight_of(e->p, e->order[i]));
    }
    return sum;
}

static void write_thread(struct encoder *e, uint32_t thread)
{
    uint32_t begin = e->first[thread], end = e->first[thread + 1];

    rp_sink_puts(e->sink, "{\"type\":\"sampled\",\"name\":");
    write_name(e, &e->threads.threads[thread]);
    rp_sink_printf(e->sink, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%lld,\"samples\":[",
                   unit_of(e->p), (long long)sum_of_thread(e, thread));
    for (uint32_t i = begin; i < end; i++) {
        rp_sink_puts(e->sink, i == begin ? "\n" : ",\n");
        write_stack(e, e->order[i]);
    }
    rp_sink_puts(e->sink, "\n],\"weights\":[");
    for (uint32_t i = begin; i < end; i++) {
        rp_sink_printf(e->sink, i == begin ? "%lld" : ",%lld",
                       (long long)weight_of(e->p, e->order[i]));
    }
    rp_sink_puts(e->sink, "]}");
}

static void write_profile(struct encoder *e)
{
    int n = 0;

    rp_sink_puts(e->sink, "{\"$schema\":\"" SCHEMA "\",\"exporter\":\"rperf " RP_VERSION "\",\n");
    write_frames(e);
    rp_sink_puts(e->sink, ",\n\"profiles\":[");
    for (uint32_t t = 0; t < e->threads.n; t++) {
        if (e->first[t] < e->first[t + 1]) {
            rp_sink_puts(e->sink, n++ == 0 ? "\n" : ",\n");
            write_thread(e, t);
        }
    }
    rp_sink_puts(e->sink, "\n]}\n");
}

/* Writes p as a speedscope file. */
void rp_encode_speedscope(const struct rp_profile *p, struct rp_sink *s)
{
    struct encoder e = {.p = p, .sink = s};

    e.n_samples = p->default_type < p->n_types ? p->n_samples : 0;
    if (rp_thread_list_make(p, &e.threads) != 0 || sort_by_thread(&e) != 0) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
    } else {
        write_profile(&e);
    }
    if (e.stack.oom) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
    }
    rp_thread_list_free(&e.threads);
    free(e.order);
    free(e.first);
    rp_buf_free(&e.stack);
}
