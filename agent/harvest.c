/*
 * harvest.c - see harvest.h. A store whose process still runs is left to it: it finds the session
 * closed at its own end and writes its own file.
 */
#include "harvest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../encoders/store.h"
#include "session.h"

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
static int claim(struct rp_harvest *s, const char *session, int take_alive,
                 const struct rp_session_store *found)
{
    char path[PATH_MAX];
    struct rp_harvest_store *store = &s->all[s->n];

    if (rp_session_store_path(session, found, path))
        return 0;
    if (!take_alive && is_alive(path)) {
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
int rp_harvest_gather(struct rp_harvest *s, const char *session, int take_alive, struct rp_error *err)
{
    struct rp_session_store *list;

    memset(s, 0, sizeof *s);
    if (rp_session_close(session, err) || rp_session_list(session, &list, &s->seen, err))
        return -1;
    s->all = calloc(s->seen + 1, sizeof *s->all);
    for (size_t i = 0; s->all && i < s->seen; i++)
        if (claim(s, session, take_alive, &list[i]))
            break;
    free(list);
    return s->all ? 0 : rp_error_set(err, ENOMEM, "profile not written");
}

/* Whether no later store is of the same process: the one that its exit belongs to. */
static int is_last_image(const struct rp_harvest *s, const struct rp_harvest_store *store)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].pid == store->pid && s->all[i].n > store->n)
            return 0;
    return 1;
}

/* Bytes of the file that hold something: the rest of it is reserved, or a hole. */
static size_t used_bytes(const char *path)
{
    const struct rp_store_header *header;
    char *data;
    size_t size, used = SIZE_MAX;

    if (read_file(path, RP_STORE_HEADER_BYTES, &data, &size, NULL))
        return SIZE_MAX;
    if (!rp_store_peek(data, size, &header, NULL)) {
        uint64_t committed = atomic_load(&header->committed);
        used = committed < SIZE_MAX / 2 ? RP_STORE_HEADER_BYTES + (size_t)committed : SIZE_MAX;
    }
    free(data);
    return used;
}

static int read_store(const struct rp_harvest *s, const struct rp_harvest_store *store,
                      const struct rp_harvest_first *first, struct rp_profile *p, struct rp_error *err)
{
    struct rp_store_read_options options = {.several = s->n > 1};
    struct rp_error reason;
    char *data;
    size_t size;
    int rc;

    if (store->pid == first->pid && is_last_image(s, store)) {
        options.until_mono_ns = first->ended_mono_ns;
        options.exit_cpu_ns = first->cpu_ns;
    }
    if (read_file(store->path, used_bytes(store->path), &data, &size, err))
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
int rp_harvest_merge(struct rp_harvest *s, pid_t pid, const struct rp_harvest_first *first,
                     void (*say)(const char *fmt, ...), struct rp_profile *p)
{
    struct rp_error err;
    int merged;

again:
    merged = 0;
    rp_profile_init(p);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < s->n; i++) {
            struct rp_harvest_store *store = &s->all[i];
            int is_first = store->pid == first->pid;
            if (store->bad || (pid && store->pid != pid) || is_first != (pass == 0))
                continue;
            if (read_store(s, store, first, p, &err)) {
                say("%s", err.what);
                store->bad = 1;
                rp_profile_free(p);
                goto again;
            }
            merged++;
        }
    }
    return merged;
}

void rp_harvest_give_back(const struct rp_harvest *s, pid_t pid)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->all[i].bad && (!pid || s->all[i].pid == pid))
            rp_session_give_back(s->all[i].path);
}

void rp_harvest_free(struct rp_harvest *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->all[i].path);
    free(s->all);
}
