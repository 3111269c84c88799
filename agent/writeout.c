/*
 * writeout.c - see writeout.h.
 */
#include "writeout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../encoders/statistics.h"
#include "clock.h"
#include "harvest.h"
#include "message.h"
#include "output.h"
#include "session.h"
#include "snapshot.h"

static struct rp_options options;
static char pattern[PATH_MAX]; /* of the output, absolute */
static time_t start;
static const struct rp_format *format; /* NULL: by extension */
static char session[PATH_MAX];
static char store_path[PATH_MAX]; /* empty: in memory */
static pid_t owner; /* of the session: whom its folder is named for */

/* The pid in rperf-<uid>-<pid>-<random>. */
static pid_t owner_of(const char *dir)
{
    const char *name = strrchr(dir, '/');
    int pid = 0;
    if (!name || sscanf(name, "/rperf-%*u-%d-", &pid) != 1)
        return 0;
    return pid;
}

/* The session that the environment names. -1: there is none, or it is over. */
static int join_session(void)
{
    struct rp_error err;
    if (!options.session[0] || rp_session_is_closed(options.session) ||
        rp_session_check(options.session, &err) != 0)
        return -1;
    strcpy(session, options.session);
    owner = owner_of(session);
    return 0;
}

/* A program that was started when its session was over writes NAME.<pid>.EXT: NAME is the session's. */
static int rename_output(struct rp_error *err)
{
    char path[PATH_MAX];
    if (!options.session[0] || rp_output_has_pid(pattern))
        return 0;
    if (rp_output_expand(pattern, getpid(), start, path, err) != 0)
        return -1;
    return rp_output_sibling(path, getpid(), 0, pattern, err);
}

int rp_writeout_init(const struct rp_options *given)
{
    char path[PATH_MAX], name[32];
    struct rp_error err;

    options = *given;
    start = time(NULL);
    const struct rp_option *row = rp_option_by_field("format");
    format = options.format >= 0 ? rp_format_by_name(rp_option_choice(row, options.format, name, sizeof(name))) : NULL;
    if (rp_output_expand(options.output, 0, start, pattern, &err) != 0) {
        rp_message("no profile: %s", err.what);
        return -1;
    }
    if (join_session() == 0)
        return 0;
    if (rename_output(&err) != 0 || rp_output_expand(pattern, getpid(), start, path, &err) != 0 ||
        rp_output_probe(path, &err) != 0) {
        rp_message("no profile: %s", err.what);
        return -1;
    }
    return 0;
}

/* A session of our own; our children learn of it by the environment. */
static void make_session(void)
{
    struct rp_error err;
    if (session[0])
        return;
    owner = getpid();
    if (rp_session_create(options.tmpdir, session, &err) != 0) {
        rp_message("%s: the profile is kept in memory", err.what);
        session[0] = '\0';
        return;
    }
    char name[32];
    const struct rp_option *row = rp_option_by_field("format");
    rp_session_note(session, owner, pattern, rp_option_choice(row, options.format, name, sizeof(name)),
                    program_invocation_name, &err);
    setenv("RPERF_SESSION", session, 1);
}

struct rp_store_writer *rp_writeout_open_store(struct rp_store_config *config)
{
    struct rp_store_writer *store = NULL;
    struct rp_error err;
    int failed = 0;

    config->pid_start_ticks = rp_session_pid_start(getpid());
    make_session();
    config->fd = session[0] ? rp_session_open_store(session, getpid(), store_path, &err) : -1;
    if (session[0] && config->fd < 0) {
        failed = 1;
    } else if (config->fd >= 0) {
        store = rp_store_create(config, &err);
        close(config->fd);
        if (!store) {
            failed = 1;
            unlink(store_path);
        }
    }
    if (store)
        return store;
    if (failed && !rp_session_is_closed(session))
        rp_message("%s: the profile is kept in memory", err.what);
    store_path[0] = '\0';
    config->fd = -1;
    store = rp_store_create(config, &err);
    if (!store)
        rp_message("no profile: %s", err.what);
    return store;
}

/* The command line as /proc shows it, blanks between its words. */
static void describe_command(struct rp_store_writer *store)
{
    char line[1024];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line));
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return;
    if (line[n - 1] == '\0')
        n--;
    for (ssize_t i = 0; i < n; i++)
        if (line[i] == '\0')
            line[i] = ' ';
    rp_store_meta(store, "command", line, (size_t)n);
}

void rp_writeout_describe(struct rp_store_writer *store)
{
    describe_command(store);
}

void rp_writeout_forget(void)
{
    store_path[0] = '\0';
}

/* kept: the profile is still in the session when it cannot be written. -1: it is to stay there. */
static int write_profile(const char *path, int keep_old, int kept, const struct rp_profile *p)
{
    struct rp_error err;
    struct rp_quiet quiet;

    rp_quiet_begin(&quiet);
    int result = rp_output_write(path, format, keep_old, p, &err);
    if (options.verbose && rp_message_possible()) {
        struct rp_sink *sink = rp_sink_to_fd(STDERR_FILENO, 0);
        if (sink) {
            rp_statistics_write(p, sink);
            rp_sink_finish(sink, NULL);
        }
    }
    rp_quiet_end(&quiet);
    kept = kept && result != 0 && err.errnum != EPIPE;
    if (kept)
        rp_message("%s; it can be had from %s: rperf-run recover", err.what, session);
    else if (result != 0)
        rp_message("%s", err.what);
    else if (options.verbose)
        rp_message("profile written to %s", path);
    return kept ? -1 : 0;
}

/* Reads the store of this process out of its own mapping. 0, or -1: said. */
static int read_own(struct rp_store_writer *store, uint64_t until_ns, struct rp_profile *p)
{
    struct rp_store_read_options read_options = {.until_mono_ns = until_ns};
    struct rp_error err;

    rp_profile_init(p);
    if (rp_store_read(rp_store_writer_header(store), rp_store_writer_bytes(store), &read_options, p, &err) == 0)
        return 0;
    rp_message("profile not written: %s", err.what);
    return -1;
}

/* This process's own file, NAME.<pid>.EXT unless the name tells processes apart already or nobody else has it. -1: its store is to
 * stay. */
static int write_alone(struct rp_store_writer *store, int first)
{
    struct rp_profile p;
    struct rp_error err;
    char path[PATH_MAX], sibling[PATH_MAX];
    int result = 0;

    if (read_own(store, rp_clock_mono(), &p) == 0) {
        if (rp_output_expand(pattern, getpid(), start, path, &err) != 0 ||
            (!first && !rp_output_has_pid(pattern) && rp_output_sibling(path, getpid(), 0, sibling, &err) != 0))
            rp_message("%s", err.what);
        else
            result = write_profile(first || rp_output_has_pid(pattern) ? path : sibling, 0, store_path[0] != '\0', &p);
    }
    rp_profile_free(&p);
    return result;
}

static void write_harvest(struct rp_harvest *h, pid_t pid)
{
    struct rp_harvest_first first = {.pid = getpid()};
    struct rp_profile p;
    struct rp_error err;
    char path[PATH_MAX];

    if (rp_harvest_merge(h, pid, &first, rp_message, &p) > 0) {
        if (rp_output_expand(pattern, pid ? pid : getpid(), start, path, &err) != 0)
            rp_message("%s", err.what);
        else if (write_profile(path, strcmp(options.output, "rperf.data") == 0, 1, &p) != 0)
            rp_harvest_give_back(h, pid);
    }
    rp_profile_free(&p);
}

/* The owner's duty: all stores of the session. */
static void write_session(void)
{
    struct rp_harvest h;
    struct rp_error err;

    if (rp_harvest_gather(&h, session, getpid() == 1, &err) != 0) {
        rp_message("no profile: %s", err.what);
    } else if (!rp_output_has_pid(pattern)) {
        write_harvest(&h, 0);
    } else {
        for (size_t i = 0; i < h.n; i++)
            if (i == 0 || h.all[i].pid != h.all[i - 1].pid)
                write_harvest(&h, h.all[i].pid);
    }
    rp_harvest_free(&h);
    rp_session_remove(session);
}

void rp_writeout_end(struct rp_store_writer *store)
{
    if (options.verbose && rp_snapshot_signal_taken())
        rp_message("no snapshots by signal: the application has a handler of its own");
    if (!store_path[0]) {
        write_alone(store, owner == getpid());
    } else if (owner == getpid()) {
        write_session();
    } else if (rp_session_is_closed(session)) {
        if (rp_session_claim(store_path) == 0 && write_alone(store, 0) != 0)
            rp_session_give_back(store_path);
        rp_session_remove(session);
    }
}

void rp_writeout_snapshot(struct rp_store_writer *store, int n)
{
    struct rp_profile p;
    struct rp_error err;
    char path[PATH_MAX], sibling[PATH_MAX];

    if (read_own(store, rp_clock_mono(), &p) == 0) {
        if (rp_output_expand(pattern, getpid(), start, path, &err) != 0 ||
            rp_output_sibling(path, getpid(), n, sibling, &err) != 0 ||
            rp_output_write(sibling, format, 0, &p, &err) != 0)
            rp_message("%s", err.what);
    }
    rp_profile_free(&p);
}
