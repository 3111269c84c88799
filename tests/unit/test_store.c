/*
 * test_store.c - what goes into a store comes out as the profile; what is no store is one line.
 *
 * Limits, kills and readers at work are in test_store_limits.c.
 */
#include <fcntl.h>

#include "store_helper.h"

/* main:1 -> work:7 (functions 1 and 2, named), thread 1 "main". */
struct simple {
    struct rp_store_writer *w;
    uint32_t outer, inner, thread;
};

static struct simple simple_store(uint32_t mode)
{
    struct simple s = {.w = make_store(-1, mode, MB)};
    s.outer = rp_store_node(s.w, 0, 1, 1);
    s.inner = rp_store_node(s.w, s.outer, 2, 7);
    s.thread = rp_store_thread(s.w, 1, 0);
    rp_store_thread_name(s.w, s.thread, "main", 4);
    rp_store_function(s.w, 1, "main", 4, "a.rb", 4, 1);
    rp_store_function(s.w, 2, "work", 4, "a.rb", 4, 5);
    return s;
}

static void finish(struct rp_store_writer *w)
{
    atomic_store(&rp_store_writer_header(w)->end, RP_END_NORMAL);
}

START_TEST(stacks_and_weights)
{
    struct simple s = simple_store(MODE_CPU);
    struct rp_profile p;
    finish(s.w);
    for (int i = 0; i < 10; i++) {
        ck_assert_uint_eq(rp_store_node(s.w, s.outer, 2, 7), s.inner);
        rp_store_add(s.w, s.inner, 0, s.thread, 0, RP_STATE_RUNNING, 1, 100, 7);
    }
    rp_store_add(s.w, s.outer, 0, s.thread, 0, RP_STATE_RUNNING, 2, 50, 7);
    read_writer(s.w, NULL, &p);
    ck_assert_uint_eq(p.n_types, 2);
    ck_assert_uint_eq(p.default_type, 1);
    ck_assert_uint_eq(p.n_samples, 2);
    ck_assert_int_eq(value_of(&p, "main:1;work:7", 0), 10);
    ck_assert_int_eq(value_of(&p, "main:1;work:7", 1), 1000);
    ck_assert_int_eq(value_of(&p, "main:1", 0), 2);
    ck_assert_int_eq(value_of(&p, "main:1", 1), 50);
    ck_assert_str_eq(label_of(&p, 0, "thread"), "main");
    ck_assert_str_eq(label_of(&p, 0, "thread_seq"), "1");
    ck_assert_str_eq(label_of(&p, 0, "%pid"), "4242");
    ck_assert_int_eq(p.period, 1000000);
    ck_assert_int_eq(p.keep_apart, 0);
    ck_assert_str_eq(rp_profile_str(&p, p.mode, NULL), "cpu");
    ck_assert_int_eq(p.functions[p.frames[p.nodes[p.samples[0].node].frame].function].start_line,
                     5);
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(states_in_wall_mode)
{
    static const char *const stacks[] = {
        "main:1",
        "main:1;[GVL blocked]:0",
        "main:1;[GVL wait]:0",
        "main:1;[GC marking]:0",
        "main:1;[GC sweeping]:0",
        "main:1;[process start]:0",
        "main:1;[VM shutdown]:0",
    };
    struct simple s = simple_store(MODE_WALL);
    struct rp_profile p;
    finish(s.w);
    for (uint32_t i = 0; i < RP_STATE_N; i++) {
        rp_store_add(s.w, s.outer, 0, s.thread, 0, (enum rp_state)i, 1, i, 100 + i);
    }
    read_writer(s.w, NULL, &p);
    ck_assert_uint_eq(p.n_types, 3);
    ck_assert_uint_eq(p.default_type, 2);
    for (uint32_t i = 0; i < RP_STATE_N; i++) {
        ck_assert_int_eq(value_of(&p, stacks[i], 1), i);
        ck_assert_int_eq(value_of(&p, stacks[i], 2), 100 + i);
    }
    ck_assert_str_eq(label_of(&p, find_stack(&p, stacks[1]), "%GVL"), "blocked");
    ck_assert_str_eq(label_of(&p, find_stack(&p, stacks[2]), "%GVL"), "wait");
    ck_assert_str_eq(label_of(&p, find_stack(&p, stacks[3]), "%GC"), "mark");
    ck_assert_str_eq(label_of(&p, find_stack(&p, stacks[4]), "%GC"), "sweep");
    ck_assert_ptr_null(label_of(&p, find_stack(&p, stacks[0]), "%GC"));
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(gvl_states_in_cpu_mode)
{
    struct simple s = simple_store(MODE_CPU);
    struct rp_profile p;
    finish(s.w);
    for (uint32_t i = RP_STATE_RUNNING; i <= RP_STATE_GC_MARK; i++) {
        rp_store_add(s.w, s.outer, 0, s.thread, 0, (enum rp_state)i, 1, 10, 0);
    }
    read_writer(s.w, NULL, &p);
    ck_assert_uint_eq(p.n_samples, 2);
    ck_assert_int_eq(value_of(&p, "main:1", 1), 30);
    ck_assert_ptr_null(label_of(&p, find_stack(&p, "main:1"), "%GVL"));
    ck_assert_int_eq(value_of(&p, "main:1;[GC marking]:0", 1), 10);
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(odd_stacks_and_names)
{
    struct simple s = simple_store(MODE_CPU);
    struct rp_profile p;
    size_t len;
    char big[40000];

    finish(s.w);
    memset(big, 'x', sizeof(big));
    rp_store_function(s.w, 3, "bad\xFF", 4, "", 0, 0);
    rp_store_function(s.w, 4, big, sizeof(big), "b.rb", 4, 3);
    rp_store_function(s.w, 0, "no id", 5, "", 0, 0);
    rp_store_function(s.w, (1u << 24) + 1, "no id", 5, "", 0, 0);
    uint32_t nodes[] = {rp_store_node(s.w, 0, 3, 2), rp_store_node(s.w, 0, 4, -1),
                        rp_store_node(s.w, 0, 99, 9), 0, RP_STORE_NO_NODE};
    for (int i = 0; i < 5; i++) {
        rp_store_add(s.w, nodes[i], 0, 0, 0, RP_STATE_RUNNING, 1, 1 + i, 0);
    }
    rp_store_add(s.w, s.outer, 1, 0, 0, RP_STATE_GC_MARK, 1, 40, 0);
    read_writer(s.w, NULL, &p);
    ck_assert_int_eq(value_of(&p, "bad\xEF\xBF\xBD:2", 1), 1);
    ck_assert_int_eq(value_of(&p, "[not named]:9", 1), 3);
    ck_assert_int_eq(value_of(&p, "[unknown]:0", 1), 4);
    ck_assert_int_eq(value_of(&p, "[truncated]:0", 1), 5);
    ck_assert_int_eq(value_of(&p, "main:1;[truncated]:0;[GC marking]:0", 1), 40);
    ck_assert_ptr_null(label_of(&p, 0, "thread_seq"));
    ck_assert_int_eq(has_comment(&p, "truncated: 2"), 1);
    uint32_t cut = 0;
    for (uint32_t i = 0; i < p.n_functions; i++) {
        rp_profile_str(&p, p.functions[i].name, &len);
        cut += len == 16384;
    }
    ck_assert_uint_eq(cut, 1);
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(label_sets)
{
    struct simple s = simple_store(MODE_CPU);
    struct rp_profile p;
    struct rp_store_label ab[] = {{"a", "1"}, {"b", "2"}}, ba[] = {{"b", "2"}, {"a", "1"}};
    struct rp_store_label twice[] = {{"a", "0"}, {"b", "2"}, {"a", "1"}}, many[100];
    char keys[100][8];

    finish(s.w);
    uint32_t set = rp_store_label_set(s.w, ab, 2);
    ck_assert_uint_ne(set, 0);
    ck_assert_uint_eq(rp_store_label_set(s.w, ba, 2), set);
    ck_assert_uint_eq(rp_store_label_set(s.w, twice, 3), set);
    ck_assert_uint_ne(rp_store_label_set(s.w, ab, 1), set);
    ck_assert_uint_eq(rp_store_label_set(s.w, ab, 0), 0);
    for (int i = 0; i < 100; i++) {
        snprintf(keys[i], sizeof(keys[i]), "k%d", i);
        many[i] = (struct rp_store_label){keys[i], "v"};
    }
    rp_store_add(s.w, s.outer, 0, s.thread, set, RP_STATE_RUNNING, 1, 1, 0);
    rp_store_add(s.w, s.inner, 0, s.thread, rp_store_label_set(s.w, many, 100), RP_STATE_RUNNING, 1,
                 1, 0);
    read_writer(s.w, NULL, &p);
    ck_assert_str_eq(label_of(&p, find_stack(&p, "main:1"), "a"), "1");
    ck_assert_str_eq(label_of(&p, find_stack(&p, "main:1"), "b"), "2");
    ck_assert_str_eq(label_of(&p, find_stack(&p, "main:1;work:7"), "k63"), "v");
    ck_assert_ptr_null(label_of(&p, find_stack(&p, "main:1;work:7"), "k64"));
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(without_aggregation)
{
    struct rp_store_config c = store_config(-1, MODE_CPU, MB);
    struct rp_profile p;
    c.aggregate = 0;
    struct rp_store_writer *w = rp_store_create(&c, NULL);
    ck_assert_ptr_nonnull(w);
    uint32_t node = rp_store_node(w, 0, 1, 1), other = rp_store_node(w, 0, 1, 2);
    for (uint32_t i = 0; i < 6; i++) {
        rp_store_add(w, i % 2 ? other : node, 0, 0, 0, RP_STATE_RUNNING, 1, i + 1, 0);
    }
    finish(w);
    read_writer(w, NULL, &p);
    ck_assert_int_eq(p.keep_apart, 1);
    ck_assert_uint_eq(p.n_samples, 6);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_int_eq(p.values[2 * i + 1], i + 1);
    }
    rp_profile_free(&p);
    rp_store_close(w);
}
END_TEST

/* Threads that sleep or run when a store is read that nobody finished. */
START_TEST(sleepers)
{
    struct simple s = simple_store(MODE_WALL);
    struct rp_profile p;
    struct rp_store_read_options until = {.until_mono_ns = 5000};
    struct rp_store_header *h = rp_store_writer_header(s.w);
    uint32_t waits = rp_store_thread(s.w, 2, 0), runs = rp_store_thread(s.w, 3, 0);
    uint32_t over = rp_store_thread(s.w, 4, 0), lost = rp_store_thread(s.w, 5, 0);

    rp_store_thread_state(s.w, s.thread, RP_STATE_RUNNING, 4999, 0, 0, 0);
    rp_store_thread_state(s.w, s.thread, RP_STATE_GVL_BLOCKED, 4000, 11, s.inner, 0);
    rp_store_thread_state(s.w, waits, RP_STATE_GVL_WAIT, 6000, 77, s.outer, 0);
    rp_store_thread_state(s.w, runs, RP_STATE_RUNNING, 3000, 5, s.inner, 0);
    rp_store_thread_state(s.w, over, RP_STATE_NONE, 0, 0, s.inner, 0);
    rp_store_thread_state(s.w, lost, RP_STATE_GVL_WAIT, 4900, 0, RP_STORE_NO_NODE, 0);
    read_writer(s.w, &until, &p);
    ck_assert_int_eq(value_of(&p, "main:1;work:7;[GVL blocked]:0", 2), 1011);
    ck_assert_str_eq(label_of(&p, find_stack(&p, "main:1;work:7;[GVL blocked]:0"), "thread"),
                     "main");
    ck_assert_int_eq(value_of(&p, "main:1;[GVL wait]:0", 2), 77);
    ck_assert_int_eq(value_of(&p, "main:1;work:7", 2), 2000);
    ck_assert_int_eq(value_of(&p, "[GVL wait]:0", 2), 100);
    ck_assert_uint_eq(p.n_samples, 4);
    ck_assert_int_eq(has_comment(&p, "ended: killed or still running"), 1);
    rp_profile_free(&p);

    atomic_store(&h->updated_mono_ns, 4500); /* the reader does not know the time */
    read_writer(s.w, NULL, &p);
    ck_assert_int_eq(value_of(&p, "main:1;work:7;[GVL blocked]:0", 2), 511);
    rp_profile_free(&p);

    finish(s.w);
    read_writer(s.w, &until, &p);
    ck_assert_uint_eq(p.n_samples, 0);
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(start_shutdown_and_unsampled)
{
    struct rp_store_config c = store_config(-1, MODE_CPU, MB);
    struct rp_profile p;
    c.start_cpu_ns = 300;
    struct rp_store_writer *w = rp_store_create(&c, NULL);
    ck_assert_ptr_nonnull(w);
    struct rp_store_header *h = rp_store_writer_header(w);
    struct rp_store_read_options exit = {.exit_cpu_ns = 900};

    finish(w);
    atomic_store(&h->end_mono_ns, 3000000000u);
    atomic_store(&h->end_cpu_ns, 500);
    atomic_store(&h->exit_cpu_ns, 600);
    atomic_store(&h->unsampled_ns, 44);
    read_writer(w, NULL, &p);
    ck_assert_int_eq(value_of(&p, "[process start]:0", 1), 300);
    ck_assert_int_eq(value_of(&p, "[VM shutdown]:0", 1), 100);
    ck_assert_int_eq(value_of(&p, "[unknown]:0", 1), 44);
    ck_assert_str_eq(label_of(&p, 0, "%pid"), "4242");
    ck_assert_ptr_null(label_of(&p, 0, "thread_seq"));
    ck_assert_int_eq(p.duration_ns, 2000000000);
    rp_profile_free(&p);
    read_writer(w, &exit, &p);
    ck_assert_int_eq(value_of(&p, "[VM shutdown]:0", 1), 400);
    rp_profile_free(&p);
    rp_store_close(w);
}
END_TEST

START_TEST(comments)
{
    struct simple s = simple_store(MODE_CPU);
    struct rp_store_header *h = rp_store_writer_header(s.w);
    struct rp_profile p;

    finish(s.w);
    rp_store_meta(s.w, "ruby", "ruby 3.4", 8);
    rp_store_meta(s.w, "warning", "one", 3);
    rp_store_meta(s.w, "warning", "two", 3);
    atomic_store(&h->ticks, 12);
    atomic_store(&h->stacks, 9);
    atomic_store(&h->sampling_time_ns, 1500000);
    atomic_store(&h->late_ticks, 2);
    rp_store_add(s.w, s.inner, 0, s.thread, 0, RP_STATE_RUNNING, 3, 1, 0);
    read_writer(s.w, NULL, &p);
    static const char *const want[] = {
        "rperf " RP_VERSION,     "mode: cpu",     "frequency: 1000Hz", "ruby: ruby 3.4",
        "warning: one",          "warning: two",  "ticks: 12",         "samples: 3",
        "sampling time: 1.5 ms", "late ticks: 2",
    };
    ck_assert_uint_eq(p.n_comments, sizeof(want) / sizeof(*want));
    for (uint32_t i = 0; i < p.n_comments; i++) {
        ck_assert_str_eq(rp_profile_str(&p, p.comments[i], NULL), want[i]);
    }
    ck_assert_uint_eq(p.sampling_count, 9);
    ck_assert_uint_eq(p.sampling_time_ns, 1500000);
    rp_profile_free(&p);
    rp_store_close(s.w);
}
END_TEST

START_TEST(several_stores_in_one_profile)
{
    struct rp_store_read_options several = {.several = 1};
    struct rp_profile p;
    struct rp_error err;
    rp_profile_init(&p);
    for (int i = 0; i < 2; i++) {
        struct rp_store_config c = store_config(-1, MODE_WALL, MB);
        c.pid = 10 + i;
        c.start_real_ns += (uint64_t)i * 1000;
        struct rp_store_writer *w = rp_store_create(&c, NULL);
        uint32_t id = (uint32_t)(7 + i); /* the same function under another id */
        rp_store_function(w, id, "f", 1, "f.rb", 4, 2);
        rp_store_add(w, rp_store_node(w, 0, id, 3), 0, 0, 0, RP_STATE_RUNNING, 1, 5, 10);
        rp_store_meta(w, "command", "x", 1);
        atomic_store(&rp_store_writer_header(w)->end_mono_ns, c.start_mono_ns + 5000);
        finish(w);
        ck_assert_int_eq(
            rp_store_read(rp_store_writer_header(w), rp_store_writer_bytes(w), &several, &p, &err),
            0);
        rp_store_close(w);
    }
    ck_assert_uint_eq(p.n_samples, 2);
    ck_assert_uint_eq(p.samples[0].node, p.samples[1].node);
    ck_assert_str_eq(label_of(&p, 0, "%pid"), "10");
    ck_assert_str_eq(label_of(&p, 1, "%pid"), "11");
    ck_assert_int_eq(has_comment(&p, "process 10: command: x"), 1);
    ck_assert_int_eq(has_comment(&p, "process 11: samples: 1"), 1);
    ck_assert_uint_eq(p.n_comments, 3 + 2 * 4);
    ck_assert_int_eq(p.duration_ns, 6000);

    struct rp_store_writer *cpu = make_store(-1, MODE_CPU, MB);
    ck_assert_int_eq(
        rp_store_read(rp_store_writer_header(cpu), rp_store_writer_bytes(cpu), NULL, &p, &err), -1);
    rp_store_close(cpu);
    rp_profile_free(&p);
}
END_TEST

/* ---- what is no store ---- */

static void expect_error(const void *data, size_t size, const char *what)
{
    struct rp_profile p;
    struct rp_error err = {0};
    rp_profile_init(&p);
    ck_assert_int_eq(rp_store_read(data, size, NULL, &p, &err), -1);
    ck_assert_str_eq(err.what, what);
    rp_profile_free(&p);
}

static char *copy_of(struct rp_store_writer *w, size_t *size)
{
    struct rp_store_header *h = rp_store_writer_header(w);
    *size = RP_STORE_HEADER_BYTES + atomic_load(&h->committed);
    char *copy = malloc(*size);
    memcpy(copy, h, *size);
    return copy;
}

START_TEST(damage_is_one_line)
{
    struct simple s = simple_store(MODE_CPU);
    size_t size;
    char *copy = copy_of(s.w, &size), text[128];
    struct rp_store_header *h = (void *)copy;
    uint32_t *first = (void *)(copy + RP_STORE_HEADER_BYTES), head = *first;

    expect_error(copy, 100, "offset 100: the file ends within the header");
    snprintf(text, sizeof(text),
             "offset %zu: the file ends here, but %zu bytes of records are said to follow the "
             "header",
             size - 8, size - RP_STORE_HEADER_BYTES);
    expect_error(copy, size - 8, text);
    *first = 77u << 24 | 2;
    expect_error(copy, size, "offset 4096: record of unknown type 77");
    *first = (head & 0xFF000000u) | 0xFFFFFF;
    expect_error(copy, size, "offset 4096: record of 134217720 bytes goes past the end");
    *first = head + 1;
    expect_error(copy, size, "offset 4096: context record of 24 bytes has the wrong size");
    *first = 0;
    expect_error(copy, size, "offset 4096: record of unknown type 0");
    *first = head;
    first[5] = 9999; /* node of the counter that follows */
    expect_error(copy, size, "offset 4112: refers to offset 79992, where no node is");
    first[5] = 514; /* itself */
    expect_error(copy, size, "offset 4112: refers to offset 4112, where no node is");
    first[5] = 0;
    h->mode = 9;
    expect_error(copy, size, "offset 64: unknown mode 9");
    h->byte_order = 0x04030201;
    expect_error(copy, size, "offset 8: a store of another machine or version");
    h->magic[7]++;
    expect_error(copy, size, "offset 0: not a store of this version of rperf");
    free(copy);
    rp_store_close(s.w);
}
END_TEST

/* Each byte of the header and of the records, turned in turn: no crash, never an empty error. */
START_TEST(every_byte_may_be_wrong)
{
    struct simple s = simple_store(MODE_WALL);
    struct rp_store_label l = {"k", "v"};
    rp_store_add(s.w, s.inner, 1, s.thread, rp_store_label_set(s.w, &l, 1), RP_STATE_GC_MARK, 1, 1,
                 1);
    rp_store_thread_state(s.w, s.thread, RP_STATE_GVL_WAIT, 1, 2, s.inner, 0);
    rp_store_meta(s.w, "k", "v", 1);
    size_t size;
    char *copy = copy_of(s.w, &size);
    for (size_t at = 0; at < size; at++) {
        if (at == sizeof(struct rp_store_header)) {
            at = RP_STORE_HEADER_BYTES;
        }
        for (int bit = 0; bit < 9; bit++) {
            struct rp_profile p;
            struct rp_error err = {0};
            char was = copy[at];
            copy[at] = bit == 8 ? (char)~was : (char)(was ^ 1 << bit);
            rp_profile_init(&p);
            if (rp_store_read(copy, size, NULL, &p, &err) != 0) {
                ck_assert_int_eq(strncmp(err.what, "offset ", 7), 0);
            }
            rp_profile_free(&p);
            copy[at] = was;
        }
    }
    free(copy);
    rp_store_close(s.w);
}
END_TEST

START_TEST(load_copies_what_is_written)
{
    int fd = temporary_file();
    struct rp_store_writer *w = make_store(fd, MODE_CPU, 64 * MB);
    struct rp_profile p;
    struct rp_error err = {0};
    void *data;
    size_t size;

    rp_store_add(w, rp_store_node(w, 0, 1, 1), 0, 0, 0, RP_STATE_RUNNING, 1, 5, 0);
    ck_assert_int_eq(rp_store_load(fd, &data, &size, &err), 0);
    ck_assert_uint_lt(size, 8192);
    rp_profile_init(&p);
    ck_assert_int_eq(rp_store_read(data, size, NULL, &p, &err), 0);
    ck_assert_int_eq(total(&p, 1), 5);
    rp_profile_free(&p);
    free(data);

    ck_assert_int_eq(ftruncate(fd, 4200), 0);
    ck_assert_int_eq(rp_store_load(fd, &data, &size, &err), 0);
    ck_assert_uint_eq(size, 4200);
    rp_profile_init(&p);
    ck_assert_int_eq(rp_store_read(data, size, NULL, &p, &err), -1);
    rp_profile_free(&p);
    free(data);
    ck_assert_int_eq(ftruncate(fd, 10), 0);
    ck_assert_int_eq(rp_store_load(fd, &data, &size, &err), -1);
    ck_assert_str_eq(err.what, "offset 10: the file ends within the header");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store");
    TCase *t = tcase_create("store");
    tcase_add_test(t, stacks_and_weights);
    tcase_add_test(t, states_in_wall_mode);
    tcase_add_test(t, gvl_states_in_cpu_mode);
    tcase_add_test(t, odd_stacks_and_names);
    tcase_add_test(t, label_sets);
    tcase_add_test(t, without_aggregation);
    tcase_add_test(t, sleepers);
    tcase_add_test(t, start_shutdown_and_unsampled);
    tcase_add_test(t, comments);
    tcase_add_test(t, several_stores_in_one_profile);
    tcase_add_test(t, damage_is_one_line);
    tcase_add_test(t, every_byte_may_be_wrong);
    tcase_add_test(t, load_copies_what_is_written);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
