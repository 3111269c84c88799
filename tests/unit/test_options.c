/*
 * test_options.c - the option table: defaults, wrong values in the gem's words, and that launcher
 * and agent read the same out of text.
 */
#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/options.h"
#include "../../encoders/format.h"

static struct rp_options o;

/* The message for a value that is refused; "" when it is not. */
static const char *message(const char *field, const char *text)
{
    static struct rp_error err;

    err.what[0] = 0;
    return rp_option_parse(&o, rp_option_by_field(field), text, &err) ? err.what : "";
}

START_TEST(every_default_is_valid)
{
    for (const struct rp_option *row = rp_option_table; row->field; row++)
        ck_assert_str_eq(message(row->field, row->default_text), "");
    rp_options_default(&o);
    ck_assert_int_eq(o.frequency, 1000);
    ck_assert_int_eq(o.mode, RP_MODE_CPU);
    ck_assert_int_eq(o.format, -1);
    ck_assert_int_eq(o.signal, 0);
    ck_assert_int_eq(o.snapshot_signal, 12);
    ck_assert_int_eq(o.aggregate, 1);
    ck_assert_int_eq(o.enabled, 1);
    ck_assert_str_eq(o.output, "rperf.data");
}
END_TEST

START_TEST(wrong_values_are_said_in_the_gems_words)
{
    static const char *const cases[][3] = {
        {"frequency", "0", "frequency must be a positive integer (got 0)"},
        {"frequency", "-1", "frequency must be a positive integer (got -1)"},
        {"frequency", "1e3", "frequency must be a positive integer (got 1e3)"},
        {"frequency", "", "frequency must be a positive integer (got )"},
        {"frequency", "10001", "frequency must be <= 10000 (10KHz), got 10001"},
        {"frequency", "99999999999999999999",
         "frequency must be <= 10000 (10KHz), got 99999999999999999999"},
        {"max_memory", "65537", "max-memory must be <= 65536, got 65537"},
        {"mode", "real", "mode must be cpu or wall (got real)"},
        {"mode", "cp", "mode must be cpu or wall (got cp)"},
        {"signal", "9", "signal 9 (KILL) cannot be caught; use a different signal"},
        {"signal", "19", "signal 19 (STOP) cannot be caught; use a different signal"},
        {"signal", "0", "signal must be false or a number from 1 to 64 (got 0)"},
        {"signal", "65", "signal must be false or a number from 1 to 64 (got 65)"},
        {"snapshot_signal", "KILL", "signal 9 (KILL) cannot be caught; use a different signal"},
        {"snapshot_signal", "FOO",
         "snapshot-signal must be none or the name of a signal (got FOO)"},
        {"lines", "yes", "lines must be 0 or 1 (got yes)"},
    };

    rp_options_default(&o);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_str_eq(message(cases[i][0], cases[i][1]), cases[i][2]);
    ck_assert_int_eq(o.frequency, 1000); /* refused values change nothing */
}
END_TEST

START_TEST(right_values_are_taken)
{
    rp_options_default(&o);
    ck_assert_str_eq(message("frequency", "10000"), "");
    ck_assert_int_eq(o.frequency, 10000);
    ck_assert_str_eq(message("signal", "64"), "");
    ck_assert_int_eq(o.signal, 64);
    ck_assert_str_eq(message("snapshot_signal", "sigusr1"), "");
    ck_assert_int_eq(o.snapshot_signal, 10);
    ck_assert_str_eq(message("snapshot_signal", "none"), "");
    ck_assert_int_eq(o.snapshot_signal, 0);
}
END_TEST

START_TEST(too_long_a_path_is_refused)
{
    char path[PATH_MAX + 1];

    memset(path, 'x', PATH_MAX);
    path[PATH_MAX] = 0;
    ck_assert_str_eq(message("output", path), "output must be shorter than 4096 bytes");
    path[PATH_MAX - 1] = 0;
    ck_assert_str_eq(message("output", path), "");
}
END_TEST

/* What the launcher writes into the environment, the agent reads as the same. */
START_TEST(text_reads_back_as_the_same)
{
    static const char *const values[][2] = {
        {"frequency", "77"},         {"mode", "wall"},          {"format", "text"},
        {"signal", "false"},         {"signal", "40"},          {"lines", "0"},
        {"snapshot_signal", "none"}, {"output", "/a b%p"},      {"snapshot_signal", "HUP"},
        {"snapshot_signal", "40"},
    };
    char text[PATH_MAX];

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct rp_option *row = rp_option_by_field(values[i][0]);
        ck_assert_int_eq(rp_option_parse(&o, row, values[i][1], NULL), 0);
        ck_assert_str_eq(rp_option_text(&o, row, text, sizeof text), values[i][1]);
    }
}
END_TEST

static char *fake_env(const char *name)
{
    static char wall[] = "wall", nothing[] = "", bad[] = "x";

    if (!strcmp(name, "RPERF_MODE"))
        return wall;
    if (!strcmp(name, "RPERF_OUTPUT"))
        return nothing;
    return !strcmp(name, "RPERF_MAX_MEMORY") ? bad : NULL;
}

START_TEST(the_environment_is_read_up_to_the_first_wrong_value)
{
    struct rp_error err;

    rp_options_default(&o);
    ck_assert_int_eq(rp_options_from_env(&o, fake_env, &err), -1);
    ck_assert_str_eq(err.what, "RPERF_MAX_MEMORY: max-memory must be a positive integer (got x)");
    ck_assert_int_eq(o.mode, RP_MODE_WALL);
    ck_assert_str_eq(o.output, "rperf.data"); /* empty counts as unset */
}
END_TEST

START_TEST(every_format_of_the_table_exists)
{
    const struct rp_option *row = rp_option_by_field("format");
    char name[32];
    int n = 0;

    for (; *rp_option_choice(row, n, name, sizeof name); n++)
        ck_assert_ptr_nonnull(rp_format_by_name(name));
    ck_assert_int_ge(n, 3);
    ck_assert_str_eq(rp_option_choice(row, -1, name, sizeof name), "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tc = tcase_create("options");

    tcase_add_test(tc, every_default_is_valid);
    tcase_add_test(tc, wrong_values_are_said_in_the_gems_words);
    tcase_add_test(tc, right_values_are_taken);
    tcase_add_test(tc, too_long_a_path_is_refused);
    tcase_add_test(tc, text_reads_back_as_the_same);
    tcase_add_test(tc, the_environment_is_read_up_to_the_first_wrong_value);
    tcase_add_test(tc, every_format_of_the_table_exists);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
