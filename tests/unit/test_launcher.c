/*
 * test_launcher.c - the launcher's parts without a Ruby: command line, LD_PRELOAD, environment,
 * starting and watching a command.
 */
#include <check.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../launcher/cli.h"
#include "../../launcher/environment.h"
#include "../../launcher/library.h"
#include "../../launcher/spawn.h"
#include "../../launcher/supervise.h"

static struct rp_cli cli;
static struct rp_error err;

/* Parses words separated by blanks. */
static int parse(const char *line)
{
    static char text[200], *argv[20];
    int argc = 0;

    memset(&cli, 0, sizeof cli);
    rp_options_default(&cli.options);
    strcpy(text, line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    return rp_cli_parse(&cli, 'R', argc, argv, 0, &err);
}

START_TEST(options_end_where_the_command_begins)
{
    ck_assert_int_eq(parse("-f 50 --mode=wall -vp -oout ruby -f 9 -- x"), 0);
    ck_assert_int_eq(cli.options.frequency, 50);
    ck_assert_int_eq(cli.options.mode, RP_MODE_WALL);
    ck_assert(cli.options.verbose && cli.options.print && cli.output_given);
    ck_assert_str_eq(cli.options.output, "out");
    ck_assert_int_eq(cli.rest, 5);
    ck_assert(!cli.separated);
    ck_assert_int_eq(parse("--no-lines -- --mode x"), 0);
    ck_assert(cli.separated && !cli.options.lines);
    ck_assert_int_eq(cli.rest, 2);
    ck_assert_int_eq(parse("--signal false -"), 0);
    ck_assert_int_eq(cli.rest, 2); /* a lone dash is a word */
    ck_assert_int_eq(parse("-f5vp"), -1);
    ck_assert_int_eq(parse("-pvf5 x"), 0);
    ck_assert_int_eq(cli.options.frequency, 5);
    ck_assert(parse("-h --wrong") == 0 && cli.help);
}
END_TEST

START_TEST(wrong_options_are_said_in_one_line)
{
    static const char *const cases[][2] = {
        {"--x", "invalid option: --x"},
        {"--xx=3", "invalid option: --xx"},
        {"-q", "invalid option: -q"},
        {"-f", "missing argument: -f"},
        {"--output", "missing argument: --output"},
        {"--print=1", "needless argument: --print=1"},
        {"--output=", "output must not be empty"},
        {"--enabled", "invalid option: --enabled"},
        {"-f 0 x", "frequency must be a positive integer (got 0)"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(parse(cases[i][0]), -1);
        ck_assert_str_eq(err.what, cases[i][1]);
    }
}
END_TEST

static void preload_is(const char *library, const char *inherited, const char *want)
{
    char *value = rp_library_preload(library, inherited, "", &err);

    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value, want);
    free(value);
}

START_TEST(the_library_comes_after_what_is_preloaded)
{
    preload_is("/l/librperf.so", NULL, "/l/librperf.so");
    preload_is("/l/librperf.so", "", "/l/librperf.so");
    preload_is("/l/librperf.so", " a.so  b.so:", "a.so:b.so:/l/librperf.so");
    /* of a launcher around us */
    preload_is("/l/librperf.so", "a.so:/x/librperf.so", "a.so:/l/librperf.so");
    preload_is("/l/librperf.so", "/x/notlibrperf.so", "/x/notlibrperf.so:/l/librperf.so");
}
END_TEST

START_TEST(paths_that_cannot_be_preloaded_go_through_a_link)
{
    char dir[] = "/tmp/rperf-test-XXXXXX", want[PATH_MAX], target[PATH_MAX] = "";
    char *value;

    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(want, sizeof want, "%s/librperf.so", dir);
    value = rp_library_preload("/a b:c/librperf.so", NULL, dir, &err);
    ck_assert_ptr_nonnull(value);
    ck_assert_str_eq(value, want);
    ck_assert_int_gt(readlink(want, target, sizeof target - 1), 0);
    ck_assert_str_eq(target, "/a b:c/librperf.so");
    free(value);
    ck_assert_ptr_null(rp_library_preload("/a b/librperf.so", NULL, "", &err));
    unlink(want);
    rmdir(dir);
}
END_TEST

static int has(const struct rp_environment *e, const char *var)
{
    for (char **v = e->vars; *v; v++)
        if (!strncmp(*v, var, strlen(var)))
            return 1;
    return 0;
}

START_TEST(only_what_differs_is_handed_on)
{
    struct rp_environment e;

    setenv("RPERF_MODE", "wall", 1);
    setenv("RPERF_TMPDIR", "/t", 1);
    setenv("LD_PRELOAD", "", 1);
    setenv("RPERF_ENABLED", "0", 1);
    ck_assert_int_eq(parse("-f 7 --no-lines x"), 0);
    strcpy(cli.options.output, "/o");
    ck_assert_int_eq(rp_environment_build(&e, &cli.options, "lib", &err), 0);
    ck_assert(has(&e, "RPERF_TMPDIR=/t") && has(&e, "LD_PRELOAD=lib"));
    ck_assert(has(&e, "RPERF_FREQUENCY=7") && has(&e, "RPERF_LINES=0"));
    ck_assert(has(&e, "RPERF_OUTPUT=/o") && has(&e, "PATH="));
    ck_assert(!has(&e, "RPERF_MODE") && !has(&e, "RPERF_ENABLED") && !has(&e, "RPERF_SESSION"));
    rp_environment_free(&e);
}
END_TEST

/* Runs `sh -c script` as the launcher does; the child's own figures. */
static struct rp_child run(const char *script, int send_to_self)
{
    char *argv[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    struct rp_child child = {0};
    struct rp_inherited inherited;
    struct rp_witness witness;

    signal(SIGCHLD, SIG_IGN); /* also then there must be a status */
    rp_signals_hold(&inherited);
    rp_witness_start(&witness);
    ck_assert_int_eq(rp_spawn(argv, environ, &inherited, &child.pid), 0);
    if (send_to_self)
        kill(getpid(), send_to_self);
    rp_supervise(&child, &witness);
    rp_witness_stop(&witness);
    return child;
}

START_TEST(the_status_is_the_commands)
{
    struct rp_child child = run("exit 7", 0);

    ck_assert(WIFEXITED(child.status));
    ck_assert_int_eq(WEXITSTATUS(child.status), 7);
    child = run("kill -KILL $$", 0);
    ck_assert(WIFSIGNALED(child.status));
    ck_assert_int_eq(WTERMSIG(child.status), SIGKILL);
    ck_assert_uint_gt(child.ended_mono_ns, 0);
}
END_TEST

START_TEST(signals_of_processes_are_passed_on)
{
    struct rp_child child = run(
        "trap 'exit 5' TERM; i=0; while [ $i -lt 100 ]; do sleep 0.05; i=$((i+1)); done", SIGTERM);

    /* the trap may not be set yet: then the signal itself ended it */
    ck_assert(child.status == 5 << 8 || child.status == SIGTERM);
}
END_TEST

START_TEST(a_signal_to_the_group_comes_once)
{
    struct rp_child child;

    ck_assert_int_eq(setpgid(0, 0), 0);
    child = run("n=0; trap 'n=$((n+1))' USR1; kill -USR1 0; sleep 0.2; sleep 0.1; exit $n", 0);
    ck_assert_int_eq(child.status, 1 << 8);
}
END_TEST

START_TEST(cpu_is_the_commands_own)
{
    struct rp_child child = run("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", 0);
    uint64_t own = child.cpu_ns;

    ck_assert_uint_gt(own, 20000000);
    child = run("sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'; :", 0);
    ck_assert_uint_lt(child.cpu_ns, own / 2); /* not its children's */
}
END_TEST

START_TEST(what_cannot_run_is_told_by_errno)
{
    struct rp_inherited inherited;
    char *missing[] = {"/nowhere/at/all", NULL}, *data[] = {"/etc/passwd", NULL};
    pid_t pid;

    rp_signals_hold(&inherited);
    ck_assert_int_eq(rp_spawn(missing, environ, &inherited, &pid), ENOENT);
    ck_assert_int_eq(rp_spawn(data, environ, &inherited, &pid), EACCES);
    ck_assert_int_eq(rp_spawn_status(ENOENT), 127);
    ck_assert_int_eq(rp_spawn_status(ENOTDIR), 127);
    ck_assert_int_eq(rp_spawn_status(EACCES), 126);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launcher");
    TCase *tc = tcase_create("launcher");

    tcase_set_timeout(tc, 20);
    tcase_add_test(tc, options_end_where_the_command_begins);
    tcase_add_test(tc, wrong_options_are_said_in_one_line);
    tcase_add_test(tc, the_library_comes_after_what_is_preloaded);
    tcase_add_test(tc, paths_that_cannot_be_preloaded_go_through_a_link);
    tcase_add_test(tc, only_what_differs_is_handed_on);
    tcase_add_test(tc, the_status_is_the_commands);
    tcase_add_test(tc, signals_of_processes_are_passed_on);
    tcase_add_test(tc, a_signal_to_the_group_comes_once);
    tcase_add_test(tc, cpu_is_the_commands_own);
    tcase_add_test(tc, what_cannot_run_is_told_by_errno);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
