/*
 * test_profile.c - the profile model: strings, interning, queries, merging, buffer and sink.
 */
#include <check.h>
#include <fcntl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include "../../encoders/buf.h"
#include "../../encoders/gunzip.h"
#include "../../encoders/merge.h"
#include "../../encoders/query.h"
#include "../../encoders/sink.h"
#include "sample_profile.h"

START_TEST(strings_are_interned)
{
    struct rp_strtab t;
    char text[32];

    ck_assert_int_eq(rp_strtab_init(&t), 0);
    ck_assert_uint_eq(rp_strtab_intern(&t, "", 0), 0);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 20000; i++) {
            size_t len = (size_t)snprintf(text, sizeof(text), "string %u", i);
            ck_assert_uint_eq(rp_strtab_intern(&t, text, len), i + 1);
        }
    }
    size_t len;
    ck_assert_str_eq(rp_strtab_get(&t, 777, &len), "string 776");
    ck_assert_uint_eq(len, 10);
    rp_strtab_free(&t);
}
END_TEST

START_TEST(strings_may_hold_nul)
{
    struct rp_strtab t;
    size_t len;

    ck_assert_int_eq(rp_strtab_init(&t), 0);
    uint32_t a = rp_strtab_intern(&t, "a\0b", 3), b = rp_strtab_intern(&t, "a", 1);
    ck_assert_uint_ne(a, b);
    ck_assert_mem_eq(rp_strtab_get(&t, a, &len), "a\0b", 4);
    ck_assert_uint_eq(len, 3);
    ck_assert_str_eq(rp_strtab_get(&t, 12345, &len), "");
    ck_assert_uint_eq(len, 0);
    rp_strtab_free(&t);
}
END_TEST

START_TEST(a_fresh_profile_is_empty)
{
    struct rp_profile p;

    rp_profile_init(&p);
    ck_assert_int_eq(p.oom, 0);
    ck_assert_uint_eq(p.n_nodes, 1);
    ck_assert_uint_eq(p.n_label_sets, 1);
    ck_assert_uint_eq(p.n_samples, 0);
    ck_assert_uint_eq(rp_profile_label_set(&p, NULL, 0), 0);
    rp_profile_free(&p);
}
END_TEST

START_TEST(equal_things_get_equal_ids)
{
    struct rp_profile p;

    rp_profile_init(&p);
    for (int round = 0; round < 2; round++) {
        for (int32_t i = 0; i < 1000; i++) {
            uint32_t f = rp_profile_function(&p, (uint32_t)i, 0, 1);
            ck_assert_uint_eq(f, (uint32_t)i);
            ck_assert_uint_eq(rp_profile_frame(&p, f, i), (uint32_t)i);
            ck_assert_uint_eq(rp_profile_node(&p, (uint32_t)i, f), (uint32_t)i + 1);
        }
    }
    ck_assert_uint_ne(rp_profile_function(&p, 5, 0, 2), 5);
    rp_profile_free(&p);
}
END_TEST

START_TEST(label_sets_know_no_order)
{
    struct rp_profile p;
    struct rp_label ab[] = {{1, 2, 0, 0}, {3, 0, -7, 4}}, ba[] = {{3, 0, -7, 4}, {1, 2, 0, 0}};
    struct rp_label other[] = {{1, 2, 0, 0}, {3, 0, -8, 4}};

    rp_profile_init(&p);
    uint32_t first = rp_profile_label_set(&p, ab, 2);
    ck_assert_uint_eq(first, 1);
    ck_assert_uint_eq(rp_profile_label_set(&p, ba, 2), first);
    ck_assert_uint_ne(rp_profile_label_set(&p, other, 2), first);
    ck_assert_uint_ne(rp_profile_label_set(&p, ab, 1), first);
    ck_assert_uint_eq(p.n_labels, 5);
    rp_profile_free(&p);
}
END_TEST

START_TEST(samples_are_summed_or_kept_apart)
{
    struct rp_profile p;

    sample_header(&p);
    sample_add(&p, 0, 0, 1, 10);
    sample_add(&p, 0, 0, 2, INT64_MAX);
    ck_assert_uint_eq(p.n_samples, 1);
    ck_assert_int_eq(p.values[0], 3);
    ck_assert_int_eq(p.values[1], INT64_MAX);
    p.keep_apart = 1;
    for (int i = 0; i < 1000; i++) {
        sample_add(&p, 0, 0, 1, i);
    }
    ck_assert_uint_eq(p.n_samples, 1001);
    ck_assert_int_eq(p.values[2 * 1000 + 1], 999);
    rp_profile_free(&p);
}
END_TEST

static const struct rp_function_row *row_named(const struct rp_profile *p,
                                               const struct rp_function_table *t, const char *name)
{
    for (uint32_t i = 0; i < t->n; i++) {
        if (strcmp(rp_profile_str(p, t->rows[i].name, NULL), name) == 0) {
            return &t->rows[i];
        }
    }
    ck_abort_msg("no row %s", name);
    return NULL;
}

START_TEST(recursion_counts_once)
{
    struct rp_profile p;
    struct rp_function_table t;
    struct rp_query q = {.type = 1};

    make_sample_profile(&p);
    ck_assert_int_eq(rp_query_functions(&p, &q, &t, NULL), 0);
    const struct rp_function_row *fib = row_named(&p, &t, "Object#fib");
    ck_assert_int_eq(fib->flat, 1240567890);
    ck_assert_int_eq(fib->cum, 1241317890);
    const struct rp_function_row *top = row_named(&p, &t, "<main>");
    ck_assert_int_eq(top->flat, 0);
    ck_assert_int_eq(top->cum, 1241317897);
    ck_assert_int_eq(t.total, 1241317902);
    ck_assert_uint_eq(t.n_samples, 9);
    rp_function_table_free(&t);
    rp_profile_free(&p);
}
END_TEST

START_TEST(a_mask_leaves_samples_out)
{
    struct rp_profile p;
    struct rp_function_table t;
    uint8_t keep[9] = {0, 0, 1, 0, 0, 0, 0, 0, 0};
    struct rp_query q = {.type = 0, .keep = keep};

    make_sample_profile(&p);
    ck_assert_int_eq(rp_query_functions(&p, &q, &t, NULL), 0);
    ck_assert_int_eq(t.total, 3);
    ck_assert_uint_eq(t.n_samples, 1);
    ck_assert_int_eq(row_named(&p, &t, "<main>")->cum, 3);
    rp_function_table_sort(&p, &t, RP_SORT_FLAT);
    ck_assert_str_eq(rp_profile_str(&p, t.rows[0].name, NULL), "Object#fib");
    rp_function_table_free(&t);
    rp_profile_free(&p);
}
END_TEST

/* Sums by the definition, stack by stack, to compare with. */
static void slow_sums(const struct rp_profile *p, uint32_t function, int64_t *flat, int64_t *cum)
{
    *flat = *cum = 0;
    for (uint32_t i = 0; i < p->n_samples; i++) {
        int seen = 0;
        for (uint32_t node = p->samples[i].node; node; node = p->nodes[node].parent) {
            seen |= p->frames[p->nodes[node].frame].function == function;
        }
        uint32_t leaf = p->samples[i].node;
        *cum += seen ? p->values[i] : 0;
        *flat += leaf && p->frames[p->nodes[leaf].frame].function == function ? p->values[i] : 0;
    }
}

START_TEST(sums_agree_with_the_definition)
{
    struct rp_profile p;
    struct rp_function_table t;
    struct rp_query q = {0};
    unsigned random = 1;

    rp_profile_init(&p);
    rp_profile_add_type(&p, "cpu", "nanoseconds");
    for (int i = 0; i < 12; i++) {
        char name[2] = {(char)('a' + i), 0};
        sample_frame(&p, name, "f", 1, 1);
    }
    for (int i = 0; i < 400; i++) {
        uint32_t node = 0;
        for (unsigned depth = (random >> 16) % 8; depth > 0; depth--) {
            random = random * 1103515245 + 12345;
            node = rp_profile_node(&p, node, (random >> 16) % 12);
        }
        random = random * 1103515245 + 12345;
        rp_profile_add(&p, node, 0, (int64_t[]){(random >> 8) % 100});
    }
    ck_assert_int_eq(rp_query_functions(&p, &q, &t, NULL), 0);
    for (uint32_t f = 0; f < 12; f++) {
        int64_t flat, cum;
        slow_sums(&p, f, &flat, &cum);
        const struct rp_function_row *row =
            row_named(&p, &t, rp_profile_str(&p, p.functions[f].name, NULL));
        ck_assert_int_eq(row->flat, flat);
        ck_assert_int_eq(row->cum, cum);
    }
    rp_function_table_free(&t);
    rp_profile_free(&p);
}
END_TEST

START_TEST(deep_stacks_need_no_recursion)
{
    struct rp_profile p;
    struct rp_function_table t;
    struct rp_query q = {0};
    uint32_t node = 0;

    rp_profile_init(&p);
    rp_profile_add_type(&p, "cpu", "nanoseconds");
    uint32_t frames[2] = {sample_frame(&p, "a", "f", 1, 1), sample_frame(&p, "b", "f", 1, 1)};
    for (int i = 0; i < 500000; i++) {
        node = rp_profile_node(&p, node, frames[i % 2]);
    }
    rp_profile_add(&p, node, 0, (int64_t[]){3});
    ck_assert_int_eq(rp_query_functions(&p, &q, &t, NULL), 0);
    ck_assert_int_eq(t.rows[0].cum, 3);
    ck_assert_int_eq(t.rows[1].cum, 3);
    rp_function_table_free(&t);
    rp_profile_free(&p);
}
END_TEST

START_TEST(merging_twice_doubles)
{
    struct rp_profile p, sum;

    make_sample_profile(&p);
    rp_profile_init(&sum);
    ck_assert_int_eq(rp_profile_merge(&sum, &p, NULL), 0);
    p.time_ns += 1000 * (int64_t)MS;
    ck_assert_int_eq(rp_profile_merge(&sum, &p, NULL), 0);
    ck_assert_uint_eq(sum.n_samples, p.n_samples);
    ck_assert_uint_eq(sum.n_nodes, p.n_nodes);
    ck_assert_uint_eq(sum.n_comments, 2);
    for (uint32_t i = 0; i < 2 * p.n_samples; i++) {
        ck_assert_int_eq(sum.values[i], 2 * p.values[i]);
    }
    ck_assert_int_eq(sum.time_ns, p.time_ns - 1000 * (int64_t)MS);
    ck_assert_int_eq(sum.duration_ns, 3500 * (int64_t)MS);
    ck_assert_uint_eq(sum.sampling_count, 24);
    ck_assert_uint_eq(sum.frequency_hz, 1000);
    ck_assert_str_eq(rp_profile_str(&sum, sum.mode, NULL), "cpu");
    ck_assert_uint_eq(sum.default_type, 1);
    rp_profile_free(&p);
    rp_profile_free(&sum);
}
END_TEST

START_TEST(merging_matches_types_by_name)
{
    struct rp_profile a, b;
    struct rp_error err;

    rp_profile_init(&a);
    rp_profile_add_type(&a, "x", "count");
    rp_profile_add_type(&a, "y", "bytes");
    rp_profile_add(&a, 0, 0, (int64_t[]){1, 10});
    rp_profile_init(&b);
    rp_profile_add_type(&b, "y", "bytes");
    rp_profile_add_type(&b, "x", "count");
    rp_profile_add(&b, 0, 0, (int64_t[]){20, 2});
    ck_assert_int_eq(rp_profile_merge(&a, &b, &err), 0);
    ck_assert_int_eq(a.values[0], 3);
    ck_assert_int_eq(a.values[1], 30);
    rp_profile_free(&b);

    make_sample_profile(&b);
    ck_assert_int_eq(rp_profile_merge(&a, &b, &err), -1);
    ck_assert_str_eq(err.what, "cannot merge: only one of the profiles measures x in count");
    ck_assert_uint_eq(a.n_samples, 1);
    rp_profile_free(&a);
    rp_profile_free(&b);
}
END_TEST

static void write_much(struct rp_sink *s)
{
    for (int i = 0; i < 100000; i++) {
        rp_sink_printf(s, "line %d\n", i);
    }
    rp_sink_printf(s, "%0*d", 2000, 7);
}

START_TEST(gzip_and_plain_hold_the_same)
{
    struct rp_buf plain = {0}, packed = {0}, again = {0}, unpacked = {0};
    struct rp_sink *sinks[3] = {rp_sink_to_buf(&plain, 0), rp_sink_to_buf(&packed, 1),
                                rp_sink_to_buf(&again, 1)};

    for (int i = 0; i < 3; i++) {
        write_much(sinks[i]);
        ck_assert_int_eq(rp_sink_finish(sinks[i], NULL), 0);
    }
    ck_assert_uint_eq(packed.size, again.size);
    ck_assert_mem_eq(packed.data, again.data, packed.size);
    ck_assert_mem_eq(packed.data + 4, "\0\0\0\0", 4); /* no time in the header */
    ck_assert_int_eq(rp_gunzip(packed.data, packed.size, plain.size, &unpacked, NULL), 0);
    ck_assert_uint_eq(unpacked.size, plain.size);
    ck_assert_mem_eq(unpacked.data, plain.data, plain.size);
    rp_buf_free(&plain);
    rp_buf_free(&packed);
    rp_buf_free(&again);
    rp_buf_free(&unpacked);
}
END_TEST

START_TEST(gunzip_keeps_to_its_limit)
{
    struct rp_buf plain = {0}, packed = {0}, out = {0};
    struct rp_sink *s = rp_sink_to_buf(&packed, 1);
    struct rp_error err;

    write_much(s);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    ck_assert_int_eq(rp_gunzip(packed.data, packed.size, 1000, &out, &err), -1);
    ck_assert_str_eq(err.what, "unpacks to more than 1000 bytes");
    ck_assert_uint_lt(out.size, 100000);
    rp_buf_free(&out);
    ck_assert_int_eq(rp_gunzip(packed.data, packed.size - 9, SIZE_MAX, &out, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.what, "cut short"));
    rp_buf_free(&out);
    packed.data[packed.size / 2] ^= 0x55;
    ck_assert_int_eq(rp_gunzip(packed.data, packed.size, SIZE_MAX, &out, &err), -1);
    rp_buf_free(&out);
    rp_buf_free(&plain);
    rp_buf_free(&packed);
}
END_TEST

START_TEST(a_full_device_is_told_once)
{
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    struct rp_error err;

    for (int gzip = 0; gzip < 2; gzip++) {
        struct rp_sink *s = rp_sink_to_fd(fd, gzip);
        write_much(s);
        ck_assert_int_eq(rp_sink_finish(s, &err), -1);
        ck_assert_int_eq(err.errnum, ENOSPC);
        ck_assert_str_eq(err.what, "cannot write: No space left on device");
    }
    close(fd);
}
END_TEST

START_TEST(short_writes_are_resumed)
{
    int ends[2];
    struct rp_buf plain = {0};
    struct rp_sink *s = rp_sink_to_buf(&plain, 0);

    write_much(s);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        s = rp_sink_to_fd(ends[1], 0);
        write_much(s);
        _exit(rp_sink_finish(s, NULL) != 0);
    }
    close(ends[1]);
    size_t got = 0;
    char block[777];
    for (ssize_t n; (n = read(ends[0], block, sizeof(block))) > 0; got += (size_t)n) {
        ck_assert_mem_eq(block, plain.data + got, n);
    }
    ck_assert_uint_eq(got, plain.size);
    close(ends[0]);
    rp_buf_free(&plain);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("profile");
    TCase *tc = tcase_create("profile");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, strings_are_interned);
    tcase_add_test(tc, strings_may_hold_nul);
    tcase_add_test(tc, a_fresh_profile_is_empty);
    tcase_add_test(tc, equal_things_get_equal_ids);
    tcase_add_test(tc, label_sets_know_no_order);
    tcase_add_test(tc, samples_are_summed_or_kept_apart);
    tcase_add_test(tc, recursion_counts_once);
    tcase_add_test(tc, a_mask_leaves_samples_out);
    tcase_add_test(tc, sums_agree_with_the_definition);
    tcase_add_test(tc, deep_stacks_need_no_recursion);
    tcase_add_test(tc, merging_twice_doubles);
    tcase_add_test(tc, merging_matches_types_by_name);
    tcase_add_test(tc, gzip_and_plain_hold_the_same);
    tcase_add_test(tc, gunzip_keeps_to_its_limit);
    tcase_add_test(tc, a_full_device_is_told_once);
    tcase_add_test(tc, short_writes_are_resumed);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
