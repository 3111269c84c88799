/*
 * json.c - the JSON of the Ruby gem rperf (0.9), which its `rperf report` and Rperf.load open.
 *
 * One object; aggregated_samples holds [[[file, name], ... leaf first], weight, thread_seq,
 * label_set_id], label_sets the labels of each id but thread_seq. The weight is of the default
 * type.
 */
#include "encode.h"

#include <errno.h>
#include <stdlib.h>

#include "json_text.h"
#include "thread_labels.h"

#ifndef RP_VERSION
#error "RP_VERSION comes from the Makefile"
#endif

struct encoder {
    const struct rp_profile *p;
    struct rp_sink *sink;
    struct rp_thread_list threads;
    struct rp_profile reduced; /* label sets without thread_seq; strings are those of p */
    uint32_t *reduced_set;     /* by label set of p */
};

/* Label sets without thread_seq. -1: out of memory. */
static int reduce_label_sets(struct encoder *e)
{
    const struct rp_profile *p = e->p;
    uint32_t seq = rp_strtab_find(&p->strings, "thread_seq", 10);
    struct rp_label *kept = calloc(p->n_labels + 1ull, sizeof(*kept));

    e->reduced_set = calloc(p->n_label_sets + 1ull, sizeof(*e->reduced_set));
    if (!kept || !e->reduced_set) {
        free(kept);
        return -1;
    }
    for (uint32_t set = 0; set < p->n_label_sets; set++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < p->label_sets[set].count; i++) {
            const struct rp_label *l = &p->labels[p->label_sets[set].first + i];
            if (l->key != seq) {
                kept[n++] = *l;
            }
        }
        e->reduced_set[set] = rp_profile_label_set(&e->reduced, kept, n);
    }
    free(kept);
    return e->reduced.oom ? -1 : 0;
}

/* Threads that samples belong to; the set of no labels is none. */
static uint32_t count_threads(const struct encoder *e)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < e->threads.n; i++) {
        n += e->threads.threads[i].seq != 0 || e->threads.threads[i].name != 0;
    }
    return n;
}

static void write_header(struct encoder *e)
{
    const struct rp_profile *p = e->p;
    uint64_t frequency = p->frequency_hz ? p->frequency_hz : 1; /* the gem divides by it */

    rp_sink_puts(e->sink, "{\"rperf_version\":\"" RP_VERSION "\",\"mode\":");
    rp_json_string(e->sink, p, p->mode ? p->mode : p->types[p->default_type].type);
    rp_sink_printf(e->sink, ",\"frequency\":%llu,\"sampling_count\":%llu,\"sampling_time_ns\":%llu",
                   (unsigned long long)frequency, (unsigned long long)p->sampling_count,
                   (unsigned long long)p->sampling_time_ns);
    rp_sink_printf(e->sink, ",\"detected_thread_count\":%u", count_threads(e));
    rp_sink_printf(e->sink, ",\"start_time_ns\":%lld,\"duration_ns\":%lld", (long long)p->time_ns,
                   (long long)p->duration_ns);
}

static void write_sample(struct encoder *e, uint32_t i)
{
    const struct rp_profile *p = e->p;
    uint32_t set = p->samples[i].label_set;

    rp_sink_puts(e->sink, "[[");
    for (uint32_t node = p->samples[i].node; node; node = p->nodes[node].parent) {
        const struct rp_function *f = &p->functions[p->frames[p->nodes[node].frame].function];
        rp_sink_puts(e->sink, node == p->samples[i].node ? "[" : ",[");
        rp_json_string(e->sink, p, f->file);
        rp_sink_puts(e->sink, ",");
        rp_json_string(e->sink, p, f->name);
        rp_sink_puts(e->sink, "]");
    }
    rp_sink_printf(
        e->sink, "],%lld,%lld,%u]", (long long)p->values[(size_t)i * p->n_types + p->default_type],
        (long long)e->threads.threads[e->threads.of_label_set[set]].seq, e->reduced_set[set]);
}

static void write_label_set(struct encoder *e, uint32_t set)
{
    const struct rp_profile *sets = &e->reduced;

    rp_sink_puts(e->sink, "{");
    for (uint32_t i = 0; i < sets->label_sets[set].count; i++) {
        const struct rp_label *l = &sets->labels[sets->label_sets[set].first + i];
        rp_sink_puts(e->sink, i == 0 ? "" : ",");
        rp_json_string(e->sink, e->p, l->key);
        rp_sink_puts(e->sink, ":");
        if (l->str) {
            rp_json_string(e->sink, e->p, l->str);
        } else {
            rp_sink_printf(e->sink, "\"%lld\"", (long long)l->num);
        }
    }
    rp_sink_puts(e->sink, "}");
}

/* Writes p as the gem's JSON. */
void rp_encode_json(const struct rp_profile *p, struct rp_sink *s)
{
    struct encoder e = {.p = p, .sink = s};

    rp_profile_init(&e.reduced);
    if (p->default_type >= p->n_types) {
        rp_sink_puts(s, "{\"rperf_version\":\"" RP_VERSION "\",\"aggregated_samples\":[]}\n");
    } else if (rp_thread_list_make(p, &e.threads) != 0 || reduce_label_sets(&e) != 0) {
        rp_sink_fail(s, ENOMEM, "cannot encode the profile");
    } else {
        write_header(&e);
        rp_sink_puts(s, ",\"aggregated_samples\":[");
        for (uint32_t i = 0; i < p->n_samples; i++) {
            rp_sink_puts(s, i == 0 ? "\n" : ",\n");
            write_sample(&e, i);
        }
        rp_sink_puts(s, "\n],\"label_sets\":[");
        for (uint32_t set = 0; set < e.reduced.n_label_sets; set++) {
            rp_sink_puts(s, set == 0 ? "\n" : ",\n");
            write_label_set(&e, set);
        }
        rp_sink_puts(s, "\n]}\n");
    }
    rp_thread_list_free(&e.threads);
    rp_profile_free(&e.reduced);
    free(e.reduced_set);
}
