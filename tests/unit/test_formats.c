/*
 * test_formats.c - what the encoders write, byte for byte (tests/golden) and as an independent
 * reader sees it; the registry of formats.
 */
#include <check.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../encoders/encode.h"
#include "../../encoders/format.h"
#include "../../encoders/json_text.h"
#include "../../encoders/utf8.h"
#include "pprof_dump.h"
#include "sample_profile.h"

#define GOLDEN "tests/golden/"

typedef void encode_fn(const struct rp_profile *p, struct rp_sink *s);

static struct rp_buf encode(encode_fn *fn, const struct rp_profile *p)
{
    struct rp_buf out = {0};
    struct rp_sink *s = rp_sink_to_buf(&out, 0);

    fn(p, s);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    rp_buf_add_byte(&out, 0);
    out.size--;
    return out;
}

/* Takes our version out of the text, so that a new one leaves the golden files as they are. */
static void hide_version(char *text)
{
    static const char version[] = "rperf_version\":\"" RP_VERSION, exporter[] = "rperf " RP_VERSION;
    char *at = strstr(text, version), *end = at ? at + strlen(version) : NULL;

    if (!at && (at = strstr(text, exporter))) {
        end = at + strlen(exporter);
    }
    if (at && end) {
        char *number = end - strlen(RP_VERSION);
        *number = 'V';
        memmove(number + 1, end, strlen(end) + 1);
    }
}

/* Compares with tests/golden/name; GOLDEN_UPDATE=1 writes it instead. */
static void check_golden(const char *name, const char *text)
{
    char path[256], *want = NULL;
    size_t size = 0;

    snprintf(path, sizeof(path), GOLDEN "%s", name);
    if (getenv("GOLDEN_UPDATE")) {
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fputs(text, f);
        fclose(f);
        return;
    }
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s is not there (tests run in the project's folder)", path);
    ck_assert_int_ge(getdelim(&want, &size, '\0', f), 0);
    fclose(f);
    ck_assert_str_eq(text, want);
    free(want);
}

static void check_encoder(encode_fn *fn, const char *golden)
{
    struct rp_profile p;

    make_sample_profile(&p);
    struct rp_buf out = encode(fn, &p);
    ck_assert_int_eq(rp_utf8_is_valid(out.data, out.size), 1);
    hide_version(out.data);
    check_golden(golden, out.data);
    rp_buf_free(&out);
    rp_profile_free(&p);
}

START_TEST(text_is_as_before)
{
    check_encoder(rp_encode_text, "sample.txt");
}
END_TEST

START_TEST(collapsed_is_as_before)
{
    check_encoder(rp_encode_collapsed, "sample.collapsed");
}
END_TEST

START_TEST(json_is_as_before)
{
    check_encoder(rp_encode_json, "sample.json");
}
END_TEST

START_TEST(speedscope_is_as_before)
{
    check_encoder(rp_encode_speedscope, "sample.speedscope.json");
}
END_TEST

START_TEST(pprof_is_as_before)
{
    struct rp_profile p;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    make_sample_profile(&p);
    struct rp_buf raw = encode(rp_encode_pprof, &p);
    dump_pprof(raw.data, raw.size, out);
    fclose(out);
    ck_assert_int_eq(rp_utf8_is_valid(text, size), 1);
    check_golden("sample.pprof", text);
    free(text);
    rp_buf_free(&raw);
    rp_profile_free(&p);
}
END_TEST

START_TEST(every_collapsed_line_has_its_weight)
{
    struct rp_profile p;
    regex_t line_form;

    ck_assert_int_eq(regcomp(&line_form, "^[^;].* [0-9]+$", REG_EXTENDED), 0);
    sample_header(&p);
    for (int c = 0; c < 256; c++) {
        char names[4][4] = {{(char)c}, {'a', (char)c}, {(char)c, 'a'}, {(char)c, (char)c, 'a'}};
        for (int i = 0; i < 4; i++) {
            uint32_t node = rp_profile_node(&p, 0, sample_frame(&p, names[i], "f", 1, c));
            sample_add(&p, node, 0, 1, 1);
        }
    }
    struct rp_buf out = encode(rp_encode_collapsed, &p);
    int64_t total = 0;
    for (char *line = strtok(out.data, "\n"); line; line = strtok(NULL, "\n")) {
        ck_assert_msg(regexec(&line_form, line, 0, NULL, 0) == 0, "bad line: %s", line);
        total += atoi(strrchr(line, ' '));
    }
    ck_assert_int_eq(total, 1024);
    regfree(&line_form);
    rp_buf_free(&out);
    rp_profile_free(&p);
}
END_TEST

START_TEST(nothing_recorded)
{
    struct rp_profile p;

    sample_header(&p);
    struct rp_buf text = encode(rp_encode_text, &p), lines = encode(rp_encode_collapsed, &p);
    ck_assert_str_eq(text.data, "No samples recorded.\n");
    ck_assert_uint_eq(lines.size, 0);
    rp_buf_free(&text);
    rp_buf_free(&lines);
    rp_profile_free(&p);
}
END_TEST

START_TEST(profiles_without_types_are_empty)
{
    struct rp_profile p;

    rp_profile_init(&p);
    rp_profile_add(&p, 0, 0, NULL);
    for (const struct rp_format *f = rp_formats; f->name; f++) {
        struct rp_buf out = encode(f->encode, &p);
        ck_assert_ptr_nonnull(out.data);
        rp_buf_free(&out);
    }
    rp_profile_free(&p);
}
END_TEST

START_TEST(json_text_is_harmless)
{
    struct rp_buf out = {0};
    struct rp_sink *s = rp_sink_to_buf(&out, 0);
    static const char hostile[] = "</script>\"\\\n\0\x7F\xE2\x80\xA8\xE2\x80\xA9\xE2\x82\xAC\xFF";

    rp_json_text(s, hostile, sizeof(hostile) - 1);
    ck_assert_int_eq(rp_sink_finish(s, NULL), 0);
    rp_buf_add_byte(&out, 0);
    ck_assert_str_eq(out.data, "\"\\u003c/script>\\\"\\\\\\u000a\\u0000\\u007f\\u2028\\u2029"
                               "\xE2\x82\xAC\xEF\xBF\xBD\"");
    rp_buf_free(&out);
}
END_TEST

START_TEST(the_report_ends_at_fifty)
{
    struct rp_profile p;
    int rows = 0;

    sample_header(&p);
    for (int i = 0; i < 60; i++) {
        char name[32];
        snprintf(name, sizeof(name), "method%d", i);
        uint32_t node = rp_profile_node(&p, 0, sample_frame(&p, name, "f", 1, 1));
        sample_add(&p, node, 0, 1, (int64_t)(i + 1) * 100 * MS);
    }
    struct rp_buf text = encode(rp_encode_text, &p);
    ck_assert_ptr_nonnull(strstr(text.data, "         6,000.0 ms   3.3%  method59 (f)\n"));
    ck_assert_ptr_null(strstr(text.data, "method9 "));
    for (const char *at = text.data; (at = strstr(at, " ms ")); at++) {
        rows++;
    }
    ck_assert_int_eq(rows, 100);
    rp_buf_free(&text);
    rp_profile_free(&p);
}
END_TEST

START_TEST(other_units_are_shown_as_they_are)
{
    struct rp_profile p;

    rp_profile_init(&p);
    rp_profile_add_type(&p, "alloc_space", "bytes");
    uint32_t node = rp_profile_node(&p, 0, sample_frame(&p, "new", "", 0, 0));
    rp_profile_add(&p, node, 0, (int64_t[]){1234567});
    struct rp_buf text = encode(rp_encode_text, &p);
    ck_assert_str_eq(text.data, "Total: 1234567.0bytes (alloc_space)\n"
                                "Samples: 1, Frequency: 0Hz\n\n"
                                " Flat:\n     1,234,567.0 bytes 100.0%  new\n\n"
                                " Cumulative:\n     1,234,567.0 bytes 100.0%  new\n");
    rp_buf_free(&text);
    rp_profile_free(&p);
}
END_TEST

START_TEST(names_mean_formats)
{
    static const struct {
        const char *path, *format;
        int gzip;
        const char *suffix;
    } rows[] = {
        {"rperf.data", "pprof", 1, ".data"},
        {"/a.b/out.pb.gz", "pprof", 1, ".pb.gz"},
        {"x.pprof", "pprof", 1, ".pprof"},
        {"x", "pprof", 1, ""},
        {"x.what", "pprof", 1, ".what"},
        {"dir.txt/x", "pprof", 1, ""},
        {".collapsed", "pprof", 1, ""},
        {"x.collapsed", "collapsed", 0, ".collapsed"},
        {"x.1.collapsed.gz", "collapsed", 1, ".collapsed.gz"},
        {"x.txt", "text", 0, ".txt"},
        {"x.txt.gz", "text", 1, ".txt.gz"},
        {"x.json", "json", 0, ".json"},
        {"x.1.json.gz", "json", 1, ".json.gz"},
        {"x.speedscope.json", "speedscope", 0, ".speedscope.json"},
        {"x.gz", "pprof", 1, ".gz"},
        {"", "pprof", 1, ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct rp_format *f = rp_format_by_path(rows[i].path);
        ck_assert_str_eq(f->name, rows[i].format);
        ck_assert_int_eq(rp_format_gzip(f, rows[i].path), rows[i].gzip);
        ck_assert_str_eq(rows[i].path + rp_format_suffix(rows[i].path), rows[i].suffix);
    }
}
END_TEST

START_TEST(the_list_of_names_is_whole)
{
    char names[256] = "";

    for (const struct rp_format *f = rp_formats; f->name; f++) {
        strcat(names, f == rp_formats ? "" : ", ");
        strcat(names, f->name);
        ck_assert_ptr_eq(rp_format_by_name(f->name), f);
    }
    ck_assert_str_eq(rp_format_names(), names);
    ck_assert_ptr_null(rp_format_by_name("xml"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formats");
    TCase *tc = tcase_create("formats");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, text_is_as_before);
    tcase_add_test(tc, collapsed_is_as_before);
    tcase_add_test(tc, json_is_as_before);
    tcase_add_test(tc, speedscope_is_as_before);
    tcase_add_test(tc, pprof_is_as_before);
    tcase_add_test(tc, profiles_without_types_are_empty);
    tcase_add_test(tc, json_text_is_harmless);
    tcase_add_test(tc, every_collapsed_line_has_its_weight);
    tcase_add_test(tc, nothing_recorded);
    tcase_add_test(tc, the_report_ends_at_fifty);
    tcase_add_test(tc, other_units_are_shown_as_they_are);
    tcase_add_test(tc, names_mean_formats);
    tcase_add_test(tc, the_list_of_names_is_whole);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
