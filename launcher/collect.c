/*
 * collect.c - from the stores of a session to the profile that the user asked for.
 *
 * Called once, when the command has ended.
 */
#include "collect.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../agent/harvest.h"
#include "../agent/output.h"
#include "../agent/session.h"
#include "../encoders/statistics.h"
#include "say.h"

/* The part of path that the user would type here. */
static const char *short_name(const char *path)
{
    char cwd[PATH_MAX];
    size_t len;

    if (!getcwd(cwd, sizeof cwd))
        return path;
    len = strlen(cwd);
    return !strncmp(path, cwd, len) && path[len] == '/' ? path + len + 1 : path;
}

static void tell(const char *path, const struct rp_format *format)
{
    const char *name = short_name(path);

    if (!format)
        format = rp_format_by_path(path);
    rp_say("profile written to %s (look at it: %s %s)", name,
           strcmp(format->name, "pprof") ? "less" : "go tool pprof -top", name);
}

static void to_descriptor(int fd, const struct rp_profile *p,
                          void (*encode)(const struct rp_profile *, struct rp_sink *))
{
    struct rp_sink *sink = rp_sink_to_fd(fd, 0);
    struct rp_error err = {ENOMEM, "cannot write the report: out of memory"};

    if (sink) {
        encode(p, sink);
        if (!rp_sink_finish(sink, &err))
            return;
    }
    rp_say("%s", err.what);
}

/* Writes the profile of process pid wherever it is wanted. -1: there is no file, and somebody may still want it. */
static int deliver(const struct rp_collect *c, pid_t pid, const struct rp_profile *p)
{
    struct rp_error err;
    char path[PATH_MAX];

    if (c->verbose)
        to_descriptor(STDERR_FILENO, p, rp_statistics_write);
    if (c->print)
        to_descriptor(STDOUT_FILENO, p, rp_format_by_name("text")->encode);
    if (!c->pattern)
        return 0;
    if (rp_output_expand(c->pattern, pid, c->start, path, &err) ||
        rp_output_write(path, c->format, c->keep_old, p, &err)) {
        int reader_left = err.errnum == EPIPE;
        rp_say(reader_left ? "%s" : "%s; it can be had from %s: rperf-run recover", err.what, c->session);
        return reader_left ? 0 : -1;
    }
    if (c->tell || c->verbose)
        tell(path, c->format);
    return 0;
}

/* Merges and delivers process pid (0: all). 1 if there was something. */
static int merge_and_deliver(const struct rp_collect *c, struct rp_harvest *s, pid_t pid,
                             const struct rp_child *child)
{
    struct rp_harvest_first first = {child->pid, child->ended_mono_ns, child->cpu_ns};
    struct rp_profile p;
    int merged = rp_harvest_merge(s, pid, &first, rp_say, &p);

    if (merged && deliver(c, pid ? pid : child->pid, &p))
        rp_harvest_give_back(s, pid);
    rp_profile_free(&p);
    return merged > 0;
}

static void say_what_is_missing(const struct rp_collect *c, size_t seen, int alive, int written)
{
    if (!seen)
        rp_say("no profile: no Ruby process was seen (is %s a static or setuid binary, or not "
               "Ruby?)",
               c->command);
    else if (alive && (!written || c->verbose))
        rp_say("%d %s: what outlives the command writes NAME.<pid>.EXT at its own end", alive,
               alive == 1 ? "process still runs" : "processes still run");
    else if (!written)
        rp_say("no profile was written");
}

/*
 * Merges what the processes of the session left, one profile in all or (%p in the pattern) one a
 * process, writes it and removes the session (what could not be written stays there). Every trouble is one line on stderr; the status of
 * the run stays the command's, so nothing is returned.
 */
void rp_collect(const struct rp_collect *c, const struct rp_child *child)
{
    struct rp_error err;
    struct rp_harvest s;
    int written = 0;

    /* as process 1 we take everybody with us when we end: nobody is left to write */
    if (rp_harvest_gather(&s, c->session, getpid() == 1, &err)) {
        rp_say("no profile: %s", err.what);
    } else {
        if (!c->pattern || !rp_output_has_pid(c->pattern))
            written = merge_and_deliver(c, &s, 0, child);
        else
            for (size_t i = 0; i < s.n; i++) /* sorted: the images of a process are together */
                if (i == 0 || s.all[i].pid != s.all[i - 1].pid)
                    written |= merge_and_deliver(c, &s, s.all[i].pid, child);
        say_what_is_missing(c, s.seen, s.alive, written);
    }
    rp_harvest_free(&s);
    rp_session_remove(c->session);
}
