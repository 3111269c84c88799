/*
 * cmd_record.c - rperf-run record: the steps of a profiled run, from the probe of the output to the
 * end of the command and its profile.
 *
 * Whatever can fail is tried before the command starts; afterwards nothing changes its status.
 */
#include "cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../agent/session.h"
#include "collect.h"
#include "environment.h"
#include "library.h"
#include "say.h"
#include "spawn.h"

struct run {
    struct rp_cli *cli;
    char *const *argv; /* of the command */
    int bare;
    time_t start;
    char session[PATH_MAX]; /* "": there is none */
    struct rp_environment environment;
    struct rp_inherited inherited;
};

static int has_file(const struct rp_cli *cli)
{
    return cli->output_given || !cli->options.print;
}

static const struct rp_format *chosen_format(const struct rp_options *o)
{
    char name[32];

    rp_option_choice(rp_option_by_field("format"), o->format, name, sizeof name);
    return *name ? rp_format_by_name(name) : NULL;
}

/* Makes the output absolute, and tries whether it can be written. */
static int settle_output(struct run *run, struct rp_error *err)
{
    struct rp_options *o = &run->cli->options;
    char pattern[PATH_MAX], path[PATH_MAX];

    if (rp_output_expand(o->output, 0, run->start, pattern, err))
        return -1;
    strcpy(o->output, pattern);
    if (!has_file(run->cli))
        return 0;
    /* our own pid stands in for the command's, which is not known yet */
    if (rp_output_expand(pattern, getpid(), run->start, path, err))
        return -1;
    return rp_output_probe(path, err);
}

static int compose_environment(struct run *run, struct rp_error *err)
{
    char library[PATH_MAX], *preload;
    int rc;

    if (rp_library_find(library, err))
        return -1;
    preload = rp_library_preload(library, getenv("LD_PRELOAD"), run->session, err);
    if (!preload)
        return -1;
    rc = rp_environment_build(&run->environment, &run->cli->options, preload, err);
    free(preload);
    return rc;
}

/* The words of the command in one line. */
static void command_line(char *const argv[], char *out, size_t size)
{
    size_t n = 0;

    out[0] = 0;
    for (; *argv && n < size; argv++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", n ? " " : "", *argv);
}

/* The folder that the stores go to. Without one the program profiles into its own memory and writes
 * by itself: a warning, and the run goes on. */
static void open_session(struct run *run)
{
    struct rp_options *o = &run->cli->options;
    const char *tmpdir = getenv("RPERF_TMPDIR");
    struct rp_error err;
    char command[1024], format[32];

    if (rp_session_create(tmpdir ? tmpdir : "", run->session, &err)) {
        rp_say("%s", err.what);
        return;
    }
    command_line(run->argv, command, sizeof command);
    rp_option_choice(rp_option_by_field("format"), o->format, format, sizeof format);
    if (rp_session_note(run->session, getpid(), has_file(run->cli) ? o->output : "", format,
                        command, &err))
        rp_say("%s", err.what);
    strcpy(o->session, run->session);
}

/* The line for a command that could not be executed; returns its exit status. */
static int say_not_run(const struct run *run, int errnum)
{
    const char *name = run->argv[0];
    int status = rp_spawn_status(errnum);

    if (status != 127)
        rp_say("%s: %s", name, strerror(errnum));
    else if (strchr(name, '/') && !access(name, F_OK))
        rp_say("%s: its interpreter is missing: %s", name, strerror(errnum));
    else if (strchr(name, '/'))
        rp_say("%s: %s", name, strerror(errnum));
    else if (run->bare)
        rp_say("%s: no such command of rperf-run and no such program", name);
    else
        rp_say("%s: command not found", name);
    return status;
}

/* --exec: the command takes our place. */
static int run_exec(struct run *run)
{
    execvpe(run->argv[0], run->argv, run->environment.vars);
    return say_not_run(run, errno);
}

static void collect(const struct run *run, const struct rp_child *child)
{
    const struct rp_options *o = &run->cli->options;
    struct rp_collect c = {
        .session = run->session,
        .command = run->argv[0],
        .pattern = has_file(run->cli) ? o->output : NULL,
        .format = chosen_format(o),
        .start = run->start,
        .keep_old = !run->cli->output_given,
        .print = o->print,
        .verbose = o->verbose,
        .tell = isatty(STDERR_FILENO),
    };

    if (*run->session)
        rp_collect(&c, child);
}

/* Runs the command as our child; signals are held. */
static int run_supervised(struct run *run)
{
    struct rp_witness witness;
    struct rp_child child = {0};
    int errnum;

    rp_witness_start(&witness);
    errnum = rp_spawn(run->argv, run->environment.vars, &run->inherited, &child.pid);
    if (!errnum)
        rp_supervise(&child, &witness);
    rp_witness_stop(&witness);
    if (!errnum)
        collect(run, &child);
    else if (*run->session)
        rp_session_remove(run->session);
    rp_environment_free(&run->environment);
    if (errnum)
        return say_not_run(run, errnum);
    rp_end_like(&child);
}

static int refuse(const char *what)
{
    rp_say("%s", what);
    return 2;
}

/*
 * rperf-run record: runs argv[cli->rest...] under the profiler and ends as it ended. Returns an
 * exit status when there is nothing to end like; bare: the user did not say `record` or `--`, so
 * the word may have been meant as a command of ours.
 */
int rp_cmd_record(struct rp_cli *cli, int bare, char *const argv[])
{
    static struct run run;
    struct rp_options *o = &cli->options;
    struct rp_error err;
    int status;

    run.cli = cli;
    run.argv = argv + cli->rest;
    run.bare = bare;
    run.start = time(NULL);
    if (!*run.argv && !o->print_env)
        return refuse("No command specified.");
    if (o->print && (o->exec || o->print_env))
        return refuse("--print needs rperf-run until the end: it cannot go with --exec or "
                      "--print-env");
    if (settle_output(&run, &err))
        return refuse(err.what);
    if (!o->exec && !o->print_env) {
        rp_signals_hold(&run.inherited);
        open_session(&run);
    }
    if (compose_environment(&run, &err)) {
        if (*run.session)
            rp_session_remove(run.session);
        rp_environment_free(&run.environment);
        return refuse(err.what);
    }
    if (o->print_env || o->exec) {
        status = o->print_env ? 0 : run_exec(&run);
        if (o->print_env)
            rp_environment_print(&run.environment, stdout);
        rp_environment_free(&run.environment);
        return status;
    }
    return run_supervised(&run);
}
