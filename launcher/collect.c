/*
 * collect.c - from the stores of a session to the profile that the user asked for.
 *
 * Called once, when the command has ended. A store whose process still runs is left to it: it finds
 * the session closed at its own end and writes its own file.
 */
#include "collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../agent/session.h"
#include "../encoders/statistics.h"
#include "../encoders/store.h"
#include "say.h"

struct store {
    pid_t pid;
    int n;
    int bad; /* reported, left out */
    char *path;
};

struct stores {
    struct store *all;
    size_t n;
    int alive; /* left to their processes */
};

/* The whole file, to be freed by the caller. -1: err. */
static int read_file(const char *path, size_t limit, char **data, size_t *size,
                     struct rp_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat st;
    ssize_t n = 1;

    *data = NULL;
    *size = 0;
    if (fd < 0)
        return rp_error_set(err, errno, "cannot read %s", path);
    if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
        close(fd);
        return rp_error_set(err, 0, "cannot read %s: not a file", path);
    }
    if ((uint64_t)st.st_size < limit)
        limit = (size_t)st.st_size;
    *data = malloc(limit ? limit : 1);
    while (*data && *size < limit && (n = read(fd, *data + *size, limit - *size)) > 0)
        *size += (size_t)n;
    if (!*data || n < 0)
        rp_error_set(err, *data ? errno : ENOMEM, "cannot read %s", path);
    close(fd);
    if (*data && n >= 0)
        return 0;
    free(*data);
    *data = NULL;
    return -1;
}

/* Whether pid has the file mapped. After exec in place it is the same process and has not. What
 * cannot be looked at counts as mapped. */
static int is_mapped(pid_t pid, const char *path)
{
    char maps[32], line[PATH_MAX + 128];
    const char *name = strrchr(path, '/');
    int found = 0;
    FILE *f;

    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    f = fopen(maps, "re");
    if (!f)
        return 1;
    /* with the session's folder, as the path before it may look different to that process */
    while (name > path && name[-1] != '/')
        name--;
    while (!found && fgets(line, sizeof line, f))
        found = strstr(line, name) != NULL;
    fclose(f);
    return found;
}

/* Whether the store's process still writes it. */
static int is_alive(const char *path)
{
    const struct rp_store_header *header;
    char *data;
    size_t size;
    int alive = 0;

    if (read_file(path, RP_STORE_HEADER_BYTES, &data, &size, NULL))
        return 0;
    if (!rp_store_peek(data, size, &header, NULL))
        alive = atomic_load(&header->end) == RP_END_RUNNING &&
                rp_session_pid_alive(header->pid, header->pid_start_ticks) &&
                is_mapped(header->pid, path);
    free(data);
    return alive;
}

/* Claims one store and adds it to s. */
static int claim(struct stores *s, const struct rp_collect *c, const struct rp_session_store *found)
{
    char path[PATH_MAX];
    struct store *store = &s->all[s->n];

    if (rp_session_store_path(c->session, found, path))
        return 0;
    /* as process 1 we take everybody with us when we end: nobody is left to write */
    if (getpid() != 1 && is_alive(path)) {
        s->alive++;
        return 0;
    }
    if (rp_session_claim(path))
        return 0;
    store->pid = found->pid;
    store->n = found->n;
    store->bad = 0;
    store->path = strdup(path);
    if (!store->path)
        return -1;
    s->n++;
    return 0;
}

/* Claims every store whose process is over. seen: how many stores there were at all. */
static int gather(struct stores *s, const struct rp_collect *c, size_t *seen, struct rp_error *err)
{
    struct rp_session_store *list;

    memset(s, 0, sizeof *s);
    if (rp_session_close(c->session, err) || rp_session_list(c->session, &list, seen, err))
        return -1;
    s->all = calloc(*seen + 1, sizeof *s->all);
    for (size_t i = 0; s->all && i < *seen; i++)
        if (claim(s, c, &list[i]))
            break;
    free(list);
    return s->all ? 0 : rp_error_set(err, ENOMEM, "profile not written");
}

/* Whether no later store is of the same process: the one that its exit belongs to. */
static int is_last_image(const struct stores *s, const struct store *store)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].pid == store->pid && s->all[i].n > store->n)
            return 0;
    return 1;
}

static int read_store(const struct stores *s, const struct store *store,
                      const struct rp_child *child, struct rp_profile *p, struct rp_error *err)
{
    struct rp_store_read_options options = {0, 0};
    struct rp_error reason;
    char *data;
    size_t size;
    int rc;

    if (store->pid == child->pid && is_last_image(s, store)) {
        options.until_mono_ns = child->ended_mono_ns;
        options.exit_cpu_ns = child->cpu_ns;
    }
    if (read_file(store->path, SIZE_MAX, &data, &size, err))
        return -1;
    rc = rp_store_read(data, size, &options, p, &reason);
    free(data);
    return rc ? rp_error_set(err, 0, "%s: %s", store->path, reason.what) : 0;
}

/*
 * Reads all stores of process pid (0: of all) into p, the command's first. A store that cannot be
 * read is reported, and as it may have left half of itself in p, all begins anew without it.
 * Returns how many are in p.
 */
static int merge(struct stores *s, pid_t pid, const struct rp_child *child, struct rp_profile *p)
{
    struct rp_error err;
    int merged;

again:
    merged = 0;
    rp_profile_init(p);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->n; i++) {
            struct store *store = &s->all[i];
            int is_first = store->pid == child->pid;
            if (store->bad || (pid && store->pid != pid) || is_first != (pass == 0))
                continue;
            if (read_store(s, store, child, p, &err)) {
                rp_say("%s", err.what);
                store->bad = 1;
                rp_profile_free(p);
                goto again;
            }
            merged++;
        }
    }
    return merged;
}

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

/* Writes the profile of process pid wherever it is wanted. */
static void deliver(const struct rp_collect *c, pid_t pid, const struct rp_profile *p)
{
    struct rp_error err;
    char path[PATH_MAX];

    if (c->verbose)
        to_descriptor(STDERR_FILENO, p, rp_statistics_write);
    if (c->print)
        to_descriptor(STDOUT_FILENO, p, rp_format_by_name("text")->encode);
    if (!c->pattern)
        return;
    if (rp_output_expand(c->pattern, pid, c->start, path, &err) ||
        rp_output_write(path, c->format, c->keep_old, p, &err))
        rp_say("%s", err.what);
    else if (c->tell || c->verbose)
        tell(path, c->format);
}

/* Merges and delivers process pid (0: all). 1 if there was something. */
static int merge_and_deliver(const struct rp_collect *c, struct stores *s, pid_t pid,
                             const struct rp_child *child)
{
    struct rp_profile p;
    int merged = merge(s, pid, child, &p);

    if (merged)
        deliver(c, pid ? pid : child->pid, &p);
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
 * process, writes it and removes the session. Every trouble is one line on stderr; the status of
 * the run stays the command's, so nothing is returned.
 */
void rp_collect(const struct rp_collect *c, const struct rp_child *child)
{
    struct rp_error err;
    struct stores s;
    size_t seen = 0;
    int written = 0;

    if (gather(&s, c, &seen, &err)) {
        rp_say("no profile: %s", err.what);
    } else {
        if (!c->pattern || !rp_output_has_pid(c->pattern))
            written = merge_and_deliver(c, &s, 0, child);
        else
            for (size_t i = 0; i < s.n; i++) /* sorted: the images of a process are together */
                if (i == 0 || s.all[i].pid != s.all[i - 1].pid)
                    written |= merge_and_deliver(c, &s, s.all[i].pid, child);
        say_what_is_missing(c, seen, s.alive, written);
    }
    for (size_t i = 0; i < s.n; i++)
        free(s.all[i].path);
    free(s.all);
    rp_session_remove(c->session);
}
