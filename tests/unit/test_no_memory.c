/*
 * test_no_memory.c - the profile model, its reader and every encoder with the n-th allocation
 * failing, for every n: each ends in an error or in the right result, never in a crash.
 *
 * The allocator of the C library is taken over by this program; a sanitizer has its own, so that
 * there these tests run without failures.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "../../encoders/encode.h"
#include "../../encoders/format.h"
#include "../../encoders/merge.h"
#include "../../encoders/pprof_read.h"
#include "sample_profile.h"

/* Allocations until one fails, and then all after it; 0: none fails. */
static long fail_at;
static int failing, had_failed;

/* Before anything that needs its memory: Check's own assertions. */
static void stop_failing(void)
{
    fail_at = failing = 0;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static int fails(void)
{
    if (fail_at > 0 && --fail_at == 0) {
        failing = had_failed = 1;
    }
    if (failing) {
        errno = ENOMEM;
    }
    return failing;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

#endif

/* Runs step with the first, second, ... allocation failing until none does. The step returns 0 only
 * if its result is right (the C library goes on without some of its own allocations). */
static void for_every_allocation(int (*step)(void))
{
    int failed = 1;

    for (long n = 1; failed; n++) {
        ck_assert_int_lt(n, 100000);
        fail_at = n;
        had_failed = 0;
        int rc = step();
        stop_failing();
        failed = had_failed;
        ck_assert_msg(rc == 0 || failed, "an error without a failed allocation");
    }
}

static struct rp_profile whole;
static struct rp_buf file;
static const struct rp_format *format;
static size_t expected_size, last_size; /* of the encoded profile */

/* Whether p, made without an error, holds what the sample profile holds. */
static int check_whole(const struct rp_profile *p)
{
    stop_failing();
    ck_assert_int_eq(p->oom, 0);
    ck_assert_uint_eq(p->n_samples, 9);
    ck_assert_uint_eq(p->n_nodes, 9);
    ck_assert_uint_eq(p->n_label_sets, 4);
    ck_assert_uint_eq(p->n_comments, 2);
    return 0;
}

static int encode_whole(void)
{
    struct rp_buf out = {0};
    struct rp_error err;
    struct rp_sink *s = rp_sink_to_buf(&out, 0);
    int rc = -1;

    if (s) {
        format->encode(&whole, s);
        rc = rp_sink_finish(s, &err);
    }
    stop_failing();
    ck_assert(rc != 0 || expected_size == 0 || out.size == expected_size);
    last_size = out.size;
    rp_buf_free(&out);
    return rc;
}

static int build(void)
{
    struct rp_profile p;

    make_sample_profile(&p);
    int rc = p.oom ? -1 : check_whole(&p);
    rp_profile_free(&p);
    return rc;
}

static int merge(void)
{
    struct rp_profile sum;
    struct rp_error err;

    rp_profile_init(&sum);
    int rc = rp_profile_merge(&sum, &whole, &err);
    rc = rc == 0 ? check_whole(&sum) : rc;
    rp_profile_free(&sum);
    return rc;
}

static int read_file(void)
{
    struct rp_profile p;
    struct rp_error err;

    rp_profile_init(&p);
    int rc = rp_pprof_read(file.data, file.size, SIZE_MAX, &p, &err);
    rc = rc == 0 ? check_whole(&p) : rc;
    rp_profile_free(&p);
    return rc;
}

static void make_file(int gzip)
{
    struct rp_sink *s = rp_sink_to_buf(&file, gzip);

    rp_encode_pprof(&whole, s);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
}

START_TEST(building)
{
    for_every_allocation(build);
}
END_TEST

START_TEST(encoding)
{
    make_sample_profile(&whole);
    for (format = rp_formats; format->name; format++) {
        expected_size = 0;
        ck_assert_int_eq(encode_whole(), 0);
        expected_size = last_size;
        for_every_allocation(encode_whole);
    }
    rp_profile_free(&whole);
}
END_TEST

START_TEST(merging)
{
    make_sample_profile(&whole);
    for_every_allocation(merge);
    rp_profile_free(&whole);
}
END_TEST

START_TEST(reading)
{
    make_sample_profile(&whole);
    for (int gzip = 0; gzip < 2; gzip++) {
        make_file(gzip);
        for_every_allocation(read_file);
        rp_buf_free(&file);
    }
    rp_profile_free(&whole);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("no_memory");
    TCase *tc = tcase_create("no_memory");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, building);
    tcase_add_test(tc, encoding);
    tcase_add_test(tc, merging);
    tcase_add_test(tc, reading);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
