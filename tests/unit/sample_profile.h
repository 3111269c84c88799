/*
 * sample_profile.h - the profile that the tests of formats share: recursion, lines, labels, names
 * that formats choke on, an empty stack, a sample without weight.
 */
#ifndef TEST_SAMPLE_PROFILE_H
#define TEST_SAMPLE_PROFILE_H

#include <string.h>

#include "../../encoders/profile.h"

#define MS 1000000

static inline uint32_t sample_frame(struct rp_profile *p, const char *name, const char *file,
                                    int32_t start_line, int32_t line)
{
    uint32_t name_id = rp_profile_cstring(p, name), file_id = rp_profile_cstring(p, file);

    return rp_profile_frame(p, rp_profile_function(p, name_id, file_id, start_line), line);
}

static inline void sample_add(struct rp_profile *p, uint32_t node, uint32_t set, int64_t count,
                              int64_t cpu_ns)
{
    rp_profile_add(p, node, set, (int64_t[]){count, cpu_ns});
}

static inline void sample_header(struct rp_profile *p)
{
    rp_profile_init(p);
    rp_profile_add_type(p, "samples", "count");
    p->default_type = rp_profile_add_type(p, "cpu", "nanoseconds");
    if (!p->oom) {
        p->period_type = p->types[p->default_type];
    }
    p->period = MS;
    p->time_ns = 1700000000000000000;
    p->duration_ns = 2500 * (int64_t)MS;
    p->doc_url = rp_profile_cstring(p, "https://example.org/rperf");
    p->mode = rp_profile_cstring(p, "cpu");
    p->frequency_hz = 1000;
    p->sampling_count = 12;
    p->sampling_time_ns = 34567;
    rp_profile_comment(p, "rperf %s", "test");
    rp_profile_comment(p, "frequency: %dHz", 1000);
}

static inline uint32_t sample_labels(struct rp_profile *p, const char *thread, int64_t seq,
                                     const char *gc)
{
    uint32_t thread_key = rp_profile_cstring(p, "thread");
    uint32_t seq_key = rp_profile_cstring(p, "thread_seq");
    uint32_t pid_key = rp_profile_cstring(p, "%pid");
    struct rp_label l[4] = {{thread_key, rp_profile_cstring(p, thread), 0, 0},
                            {seq_key, 0, seq, 0},
                            {pid_key, rp_profile_cstring(p, "4242"), 0, 0}};

    if (gc) {
        l[3] = (struct rp_label){rp_profile_cstring(p, "%GC"), rp_profile_cstring(p, gc), 0, 0};
    }
    return rp_profile_label_set(p, l, gc ? 4 : 3);
}

static inline void make_sample_profile(struct rp_profile *p)
{
    sample_header(p);
    uint32_t main_1 = sample_labels(p, "main", 1, NULL), worker_2 = sample_labels(p, "w", 2, NULL);
    uint32_t marking = sample_labels(p, "main", 1, "mark");

    uint32_t top = rp_profile_node(p, 0, sample_frame(p, "<main>", "app.rb", 1, 20));
    uint32_t fib = sample_frame(p, "Object#fib", "app.rb", 3, 4);
    uint32_t once = rp_profile_node(p, top, fib);
    uint32_t twice = rp_profile_node(p, once, fib);
    uint32_t plus = rp_profile_node(p, twice, sample_frame(p, "Integer#+", "<C method>", 0, 0));
    uint32_t gc = rp_profile_node(p, plus, sample_frame(p, "[GC marking]", "<GC>", 0, 0));
    uint32_t other_line = rp_profile_node(p, top, sample_frame(p, "Object#fib", "app.rb", 3, 5));
    uint32_t odd = rp_profile_node(p, top, sample_frame(p, "a;b\nc\x1b[31m", "(eval)", 1, 1));
    uint32_t bytes = rp_profile_node(p, odd, sample_frame(p, "\xE3\x81\x82\xFF", "x\xC3.rb", 7, 9));

    sample_add(p, once, main_1, 1, 1 * MS);
    sample_add(p, twice, main_1, 2, 1234567890);
    sample_add(p, twice, worker_2, 3, 3 * MS);
    sample_add(p, plus, main_1, 1, 500000);
    sample_add(p, gc, marking, 1, 250000);
    sample_add(p, other_line, main_1, 1, 2 * MS);
    sample_add(p, bytes, main_1, 1, 7);
    sample_add(p, odd, worker_2, 1, 0);
    sample_add(p, 0, main_1, 1, 5);
}

#endif
