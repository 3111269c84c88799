/*
 * test_pprof_read.c - the pprof reader: what we wrote comes back, what others write is understood,
 * what is damaged or hostile ends in one line.
 */
#include <check.h>
#include <stdlib.h>
#include <stdio.h>

#include "../../encoders/encode.h"
#include "../../encoders/pprof_read.h"
#include "sample_profile.h"

static struct rp_buf encode(void (*fn)(const struct rp_profile *, struct rp_sink *),
                            const struct rp_profile *p, int gzip)
{
    struct rp_buf out = {0};
    struct rp_sink *s = rp_sink_to_buf(&out, gzip);

    fn(p, s);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    return out;
}

static void check_same_output(void (*fn)(const struct rp_profile *, struct rp_sink *),
                              const struct rp_profile *a, const struct rp_profile *b)
{
    struct rp_buf x = encode(fn, a, 0), y = encode(fn, b, 0);

    ck_assert_uint_eq(x.size, y.size);
    ck_assert_mem_eq(x.data, y.data, x.size);
    rp_buf_free(&x);
    rp_buf_free(&y);
}

START_TEST(what_we_wrote_comes_back)
{
    for (int gzip = 0; gzip < 2; gzip++) {
        struct rp_profile p, q;
        struct rp_error err;

        make_sample_profile(&p);
        struct rp_buf file = encode(rp_encode_pprof, &p, gzip);
        rp_profile_init(&q);
        ck_assert_msg(rp_pprof_read(file.data, file.size, SIZE_MAX, &q, &err) == 0, "%s", err.what);
        ck_assert_int_eq(q.period, p.period);
        ck_assert_int_eq(q.time_ns, p.time_ns);
        ck_assert_int_eq(q.duration_ns, p.duration_ns);
        ck_assert_uint_eq(q.frequency_hz, 1000);
        ck_assert_uint_eq(q.default_type, 1);
        ck_assert_uint_eq(q.n_comments, 2);
        q.sampling_count = p.sampling_count;
        check_same_output(rp_encode_text, &p, &q);
        check_same_output(rp_encode_collapsed, &p, &q);
        rp_profile_free(&q);

        /* now that the strings are valid UTF-8, bytes come back as they were */
        struct rp_buf again;
        rp_profile_init(&q);
        ck_assert_int_eq(rp_pprof_read(file.data, file.size, SIZE_MAX, &q, &err), 0);
        again = encode(rp_encode_pprof, &q, gzip);
        ck_assert_uint_eq(again.size, file.size);
        ck_assert_mem_eq(again.data, file.data, file.size);
        rp_buf_free(&again);
        rp_buf_free(&file);
        rp_profile_free(&p);
        rp_profile_free(&q);
    }
}
END_TEST

/* ---- files put together by hand ---- */

/* Appends a field of bytes; lengths below 128 only. */
static void put(struct rp_buf *b, uint32_t field, const char *body, size_t size)
{
    ck_assert_uint_lt(size, 128);
    rp_buf_add_byte(b, (uint8_t)(field << 3 | 2));
    rp_buf_add_byte(b, (uint8_t)size);
    rp_buf_add(b, body, size);
}

#define PUT(b, field, literal) put(b, field, literal, sizeof(literal) - 1)

/* Samples first, strings last; ids that are no sequence; values and locations not packed. */
static void put_foreign(struct rp_buf *b)
{
    PUT(b, 2, "\x08\x63\x08\x07\x10\x05");         /* locations 99, 7; value 5 */
    PUT(b, 2, "\x0a\x01\x07\x12\x01\x02");         /* packed: location 7; value 2 */
    PUT(b, 4, "\x08\x07\x22\x04\x08\x0b\x10\x21"); /* location 7: function 11 line 33 */
    PUT(b, 4, "\x08\x63\x22\x04\x08\x0c\x10\x02\x22\x04\x08\x0b\x10\x03"); /* 99: 12 in 11 */
    PUT(b, 5, "\x08\x0c\x10\x03\x20\x05");                                 /* function 12 */
    PUT(b, 5, "\x08\x0b\x18\x04\x20\x05\x28\x09"); /* 11: system name only, start line 9 */
    PUT(b, 1, "\x08\x01\x10\x02");
    PUT(b, 6, "");
    PUT(b, 6, "cpu");
    PUT(b, 6, "nanoseconds");
    PUT(b, 6, "inlined");
    PUT(b, 6, "outer");
    PUT(b, 6, "x.go");
}

static void check_collapsed(const struct rp_profile *p, const char *want)
{
    struct rp_buf out = encode(rp_encode_collapsed, p, 0);

    rp_buf_add_byte(&out, 0);
    ck_assert_str_eq(out.data, want);
    rp_buf_free(&out);
}

static int read_bytes(const struct rp_buf *b, struct rp_profile *p, struct rp_error *err)
{
    rp_profile_init(p);
    return rp_pprof_read(b->data, b->size, 1 << 20, p, err);
}

START_TEST(inlined_calls_are_frames)
{
    struct rp_buf b = {0};
    struct rp_profile p;
    struct rp_error err;

    put_foreign(&b);
    ck_assert_msg(read_bytes(&b, &p, &err) == 0, "%s", err.what);
    check_collapsed(&p, "outer 2\nouter;outer;inlined 5\n");
    ck_assert_uint_eq(p.default_type, 0);
    ck_assert_int_eq(p.functions[p.frames[p.nodes[1].frame].function].start_line, 9);
    ck_assert_int_eq(p.frames[p.nodes[1].frame].line, 33);
    rp_profile_free(&p);
    rp_buf_free(&b);
}
END_TEST

START_TEST(places_without_names_are_addresses)
{
    struct rp_buf b = {0};
    struct rp_profile p;
    struct rp_error err;

    PUT(&b, 1, "\x08\x01\x10\x01");
    PUT(&b, 2, "\x08\x01\x10\x05");
    PUT(&b, 3, "\x08\x04\x28\x02");         /* mapping 4: string 2 */
    PUT(&b, 4, "\x08\x01\x10\x04\x18\x7f"); /* location 1 in mapping 4 at 0x7f */
    PUT(&b, 6, "");
    PUT(&b, 6, "n");
    PUT(&b, 6, "/lib/libc.so");
    ck_assert_msg(read_bytes(&b, &p, &err) == 0, "%s", err.what);
    check_collapsed(&p, "0x7f 5\n");
    ck_assert_str_eq(rp_profile_str(&p, p.functions[0].file, NULL), "/lib/libc.so");
    rp_profile_free(&p);
    rp_buf_free(&b);
}
END_TEST

START_TEST(labels_keep_their_kind)
{
    struct rp_buf b = {0};
    struct rp_profile p;
    struct rp_error err;

    PUT(&b, 1, "\x08\x01\x10\x01");
    PUT(&b, 2, "\x10\x05\x1a\x04\x08\x02\x10\x03\x1a\x06\x08\x03\x18\x2a\x20\x02");
    PUT(&b, 6, "");
    PUT(&b, 6, "n");
    PUT(&b, 6, "key");
    PUT(&b, 6, "other");
    ck_assert_msg(read_bytes(&b, &p, &err) == 0, "%s", err.what);
    const struct rp_label *l = &p.labels[p.label_sets[p.samples[0].label_set].first];
    ck_assert_uint_eq(p.label_sets[p.samples[0].label_set].count, 2);
    ck_assert_str_eq(rp_profile_str(&p, l[0].key, NULL), "key");
    ck_assert_str_eq(rp_profile_str(&p, l[0].str, NULL), "other");
    ck_assert_uint_eq(l[1].str, 0);
    ck_assert_int_eq(l[1].num, 42);
    ck_assert_str_eq(rp_profile_str(&p, l[1].unit, NULL), "key");
    rp_profile_free(&p);
    rp_buf_free(&b);
}
END_TEST

/* ---- damage ---- */

static void check_refused(const struct rp_buf *b, const char *why)
{
    struct rp_profile p;
    struct rp_error err = {0};

    ck_assert_int_eq(read_bytes(b, &p, &err), -1);
    ck_assert_msg(strstr(err.what, why) != NULL, "%s", err.what);
    rp_profile_free(&p);
}

START_TEST(what_is_missing_is_named)
{
    struct rp_buf b = {0};

    check_refused(&b, "no sample type");
    PUT(&b, 1, "\x08\x01\x10\x01");
    check_refused(&b, "string 1 is not there");
    PUT(&b, 6, "");
    PUT(&b, 6, "n");
    PUT(&b, 2, "\x08\x01\x10\x05");
    check_refused(&b, "location 1 is not there");
    PUT(&b, 4, "\x08\x01\x22\x02\x08\x09");
    check_refused(&b, "function 9 is not there");
    rp_buf_free(&b);
    rp_buf_add(&b, "hello, this is no profile", 25);
    check_refused(&b, "byte ");
    rp_buf_free(&b);
}
END_TEST

START_TEST(values_must_match_the_types)
{
    struct rp_buf b = {0};

    PUT(&b, 1, "");
    PUT(&b, 2, "\x10\x05\x10\x06");
    check_refused(&b, "a sample with 2 values for 1 types");
    rp_buf_free(&b);
}
END_TEST

/* A location of 60 lines, referred to 100 times by each of 1,000 samples. */
START_TEST(short_files_make_no_huge_stacks)
{
    struct rp_buf b = {0};
    char lines[127], refs[104];

    PUT(&b, 1, "");
    PUT(&b, 5, "\x08\x01");
    memcpy(lines, "\x08\x01", 2);
    for (size_t i = 2; i + 4 <= sizeof(lines); i += 4) {
        memcpy(lines + i, "\x22\x02\x08\x01", 4);
    }
    put(&b, 4, lines, 126);
    memcpy(refs, "\x0a\x64", 2);
    memset(refs + 2, 1, 100);
    memcpy(refs + 102, "\x10\x01", 2);
    for (int i = 0; i < 1000; i++) {
        put(&b, 2, refs, sizeof(refs));
    }
    check_refused(&b, "stacks are too large");
    rp_buf_free(&b);
}
END_TEST

/* Reads from a block of exactly that size, so that a sanitizer sees one byte too many. */
static int read_exactly(const char *data, size_t size)
{
    struct rp_profile p;
    struct rp_error err = {0};
    char *copy = malloc(size ? size : 1);

    memcpy(copy, data, size);
    rp_profile_init(&p);
    int rc = rp_pprof_read(copy, size, 1 << 20, &p, &err);
    ck_assert_int_eq(rc != 0, err.what[0] != 0);
    if (rc == 0) {
        struct rp_buf out = encode(rp_encode_text, &p, 0);
        rp_buf_free(&out);
    }
    rp_profile_free(&p);
    free(copy);
    return rc;
}

START_TEST(cut_files_end_in_one_line)
{
    struct rp_profile p;

    make_sample_profile(&p);
    for (int gzip = 0; gzip < 2; gzip++) {
        struct rp_buf b = encode(rp_encode_pprof, &p, gzip);
        for (size_t size = 0; size < b.size; size++) {
            int rc = read_exactly(b.data, size);
            ck_assert(rc != 0 || !gzip);
        }
        ck_assert_int_eq(read_exactly(b.data, b.size), 0);
        rp_buf_free(&b);
    }
    rp_profile_free(&p);
}
END_TEST

START_TEST(damaged_files_end_in_one_line)
{
    struct rp_profile p;
    unsigned random = 7;

    make_sample_profile(&p);
    struct rp_buf b = encode(rp_encode_pprof, &p, 0);
    char *copy = malloc(b.size);
    for (int round = 0; round < 20000; round++) {
        memcpy(copy, b.data, b.size);
        for (int flips = 1 + round % 3; flips > 0; flips--) {
            random = random * 1103515245 + 12345;
            copy[(random >> 8) % b.size] = (char)(random >> 24);
        }
        read_exactly(copy, b.size);
    }
    free(copy);
    rp_buf_free(&b);
    rp_profile_free(&p);
}
END_TEST

START_TEST(bombs_meet_the_limit)
{
    struct rp_buf b = {0};
    struct rp_sink *s = rp_sink_to_buf(&b, 1);
    static const char block[4096];
    struct rp_profile p;
    struct rp_error err;

    for (int i = 0; i < 25000; i++) {
        rp_sink_write(s, block, sizeof(block));
    }
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    ck_assert_int_eq(read_bytes(&b, &p, &err), -1);
    ck_assert_str_eq(err.what, "unpacks to more than 1048576 bytes");
    rp_profile_free(&p);
    rp_buf_free(&b);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pprof_read");
    TCase *tc = tcase_create("pprof_read");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, what_we_wrote_comes_back);
    tcase_add_test(tc, inlined_calls_are_frames);
    tcase_add_test(tc, places_without_names_are_addresses);
    tcase_add_test(tc, labels_keep_their_kind);
    tcase_add_test(tc, what_is_missing_is_named);
    tcase_add_test(tc, values_must_match_the_types);
    tcase_add_test(tc, short_files_make_no_huge_stacks);
    tcase_add_test(tc, cut_files_end_in_one_line);
    tcase_add_test(tc, damaged_files_end_in_one_line);
    tcase_add_test(tc, bombs_meet_the_limit);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
