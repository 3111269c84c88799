/*
 * session.c - the private folder of a session: where it is made, what may be trusted in it, who
 * writes a store out, and when it can go.
 *
 * Called by the owner (launcher, or the agent of the first process) and by every agent that puts
 * its store there. Never follows a link and never writes outside the folder.
 */
#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A store wants a few pieces of it at once; below this a session had better be elsewhere. */
#define ROOM_BYTES (8ull << 20)
/* Programs that close "all" descriptors of theirs seldom come here, and 0 to 2 are never ours. */
#define HIGH_FD 200

static int join(const char *dir, const char *name, char out[PATH_MAX])
{
    return snprintf(out, PATH_MAX, "%s/%s", dir, name) < PATH_MAX ? 0 : -1;
}

/* Why no session can be made in this folder, NULL when one can. */
static const char *unfit(const char *folder)
{
    struct stat st;
    struct statvfs room;

    if (stat(folder, &st))
        return strerror(errno);
    if (!S_ISDIR(st.st_mode))
        return strerror(ENOTDIR);
    if ((st.st_mode & (S_IWGRP | S_IWOTH)) && !(st.st_mode & S_ISVTX))
        return "others can write there and it has no sticky bit";
    if (st.st_uid != geteuid() && st.st_uid != 0 && !(st.st_mode & S_ISVTX))
        return "it belongs to another user";
    if (access(folder, W_OK | X_OK))
        return strerror(errno);
    if (statvfs(folder, &room))
        return strerror(errno);
    /* a tmpfs without a limit says 0 blocks of 0 */
    if (room.f_blocks && (uint64_t)room.f_bavail * room.f_frsize < ROOM_BYTES)
        return "less than 8 MB of room";
    return NULL;
}

static int make_folder(const char *base, char dir[PATH_MAX])
{
    for (int i = 0; i < 8; i++) {
        uint64_t nonce;
        if (getrandom(&nonce, sizeof nonce, GRND_NONBLOCK) != (ssize_t)sizeof nonce)
            nonce = (uint64_t)getpid() << 32 | (uint64_t)i; /* mkdir is what protects, not this */
        if (snprintf(dir, PATH_MAX, "%s/rperf-%u-%d-%016llx", base, (unsigned)geteuid(),
                     (int)getpid(), (unsigned long long)nonce) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (!mkdir(dir, 0700))
            return chmod(dir, 0700); /* whatever the umask took away */
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Makes the folder in the first place that is fit; dir gets its absolute path. -1: nowhere; err
 * says what was tried. */
int rp_session_create(const char *tmpdir_option, char dir[PATH_MAX], struct rp_error *err)
{
    const char *tmpdir = getenv("TMPDIR");
    const char *candidates[] = {tmpdir_option, "/dev/shm", tmpdir, "/tmp"};
    char tried[400] = "";
    size_t n = 0;

    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        const char *why;
        char base[PATH_MAX];
        if (!candidates[i] || !*candidates[i])
            continue;
        why = realpath(candidates[i], base) ? unfit(base) : strerror(errno);
        if (!why && !make_folder(base, dir))
            return 0;
        if (n < sizeof tried)
            n += (size_t)snprintf(tried + n, sizeof tried - n, "%s%s (%s)", n ? ", " : "",
                                  candidates[i], why ? why : strerror(errno));
    }
    dir[0] = 0;
    return rp_error_set(err, 0, "no folder for the samples: %s", tried);
}

/* Checks that dir is a session of this user (owner, mode, no link). */
int rp_session_check(const char *dir, struct rp_error *err)
{
    struct stat st;

    if (lstat(dir, &st))
        return rp_error_set(err, errno, "session folder %s", dir);
    if (!S_ISDIR(st.st_mode))
        return rp_error_set(err, 0, "session folder %s: not a folder", dir);
    if (st.st_uid != geteuid())
        return rp_error_set(err, 0, "session folder %s: it belongs to another user", dir);
    if (st.st_mode & (S_IRWXG | S_IRWXO))
        return rp_error_set(err, 0, "session folder %s: it is open to others", dir);
    return 0;
}

/* Makes a new file of the session, 0600, and moves its descriptor to min_fd or above (or as high
 * as the limit allows, but never to 0, 1 or 2). */
static int create_file(const char *path, int min_fd)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int high;

    if (fd < 0)
        return -1;
    fchmod(fd, 0600);
    high = fcntl(fd, F_DUPFD_CLOEXEC, min_fd);
    if (high < 0 && fd > 2)
        return fd;
    if (high < 0)
        high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    if (high < 0)
        unlink(path);
    return high;
}

/* Text in one line: what a command or a file name holds must not end the line of the note. */
static void put_line(FILE *f, const char *key, const char *value)
{
    fprintf(f, "%s ", key);
    for (; *value; value++)
        fputc(*value == '\n' ? ' ' : *value, f);
    fputc('\n', f);
}

/* Writes the file `session`. 0, or -1 with err. owner: the process that will merge. */
int rp_session_note(const char *dir, pid_t owner, const char *output, const char *format,
                    const char *command, struct rp_error *err)
{
    char path[PATH_MAX];
    int fd = join(dir, "session", path) ? -1 : create_file(path, 3);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    if (!f) {
        rp_error_set(err, errno, "session folder %s", dir);
        if (fd >= 0)
            close(fd);
        return -1;
    }
    fprintf(f, "owner %d %llu\n", (int)owner, (unsigned long long)rp_session_pid_start(owner));
    put_line(f, "output", output);
    put_line(f, "format", format);
    put_line(f, "command", command);
    return fclose(f) ? rp_error_set(err, errno, "session folder %s", dir) : 0;
}

/* Opens a new store file for pid with the next free n. Returns the descriptor (>= 3, close-on-exec,
 * the caller's), path gets its name. -1: err says why. */
int rp_session_open_store(const char *dir, pid_t pid, char path[PATH_MAX], struct rp_error *err)
{
    for (int n = 1; n < 100000; n++) {
        char taken[PATH_MAX];
        int fd;
        if (snprintf(path, PATH_MAX, "%s/%d.%d.store", dir, (int)pid, n) >= PATH_MAX ||
            snprintf(taken, PATH_MAX, "%s/%d.%d.taken", dir, (int)pid, n) >= PATH_MAX)
            return rp_error_set(err, ENAMETOOLONG, "session folder %s", dir);
        if (!access(taken, F_OK))
            continue;
        fd = create_file(path, HIGH_FD);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST)
            break;
    }
    return rp_error_set(err, errno, "cannot make %s", path);
}

/* 1 if the owner has begun to merge (or the folder is gone). */
int rp_session_is_closed(const char *dir)
{
    char path[PATH_MAX];

    if (join(dir, "closed", path))
        return 1;
    return !access(path, F_OK) || access(dir, F_OK);
}

/* Says that the owner begins to merge. */
int rp_session_close(const char *dir, struct rp_error *err)
{
    char path[PATH_MAX];
    int fd = join(dir, "closed", path) ? -1 : create_file(path, 3);

    if (fd < 0)
        return errno == EEXIST ? 0 : rp_error_set(err, errno, "session folder %s", dir);
    close(fd);
    return 0;
}

static int by_pid_and_n(const void *a, const void *b)
{
    const struct rp_session_store *x = a, *y = b;

    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return (x->n > y->n) - (x->n < y->n);
}

/* "123.1.store" */
static int is_store_name(const char *name, struct rp_session_store *s)
{
    int pid, n, end = 0;

    if (sscanf(name, "%9d.%9d.store%n", &pid, &n, &end) != 2 || !end || name[end])
        return 0;
    s->pid = pid;
    s->n = n;
    return pid > 0 && n > 0;
}

/* The stores that nobody has claimed yet, by pid and n, in an array that the caller frees (NULL
 * when there are none). */
int rp_session_list(const char *dir, struct rp_session_store **stores, size_t *count,
                    struct rp_error *err)
{
    struct rp_session_store *list = NULL, one;
    size_t n = 0, capacity = 0;
    struct dirent *entry;
    DIR *d = opendir(dir);

    *stores = NULL;
    *count = 0;
    if (!d)
        return rp_error_set(err, errno, "session folder %s", dir);
    while ((entry = readdir(d))) {
        if (!is_store_name(entry->d_name, &one))
            continue;
        if (n == capacity) {
            void *bigger;
            capacity = capacity ? capacity * 2 : 16;
            bigger = realloc(list, capacity * sizeof *list);
            if (!bigger) {
                free(list);
                closedir(d);
                return rp_error_set(err, ENOMEM, "session folder %s", dir);
            }
            list = bigger;
        }
        list[n++] = one;
    }
    closedir(d);
    if (n)
        qsort(list, n, sizeof *list, by_pid_and_n);
    *stores = list;
    *count = n;
    return 0;
}

/* Path of such a store. -1: too long. */
int rp_session_store_path(const char *dir, const struct rp_session_store *store,
                          char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%d.%d.store", dir, (int)store->pid, store->n) < PATH_MAX
               ? 0
               : -1;
}

/* Renames a store so that nobody else writes it out; 0, or -1 when somebody else has. path becomes
 * the new name. */
int rp_session_claim(char path[PATH_MAX])
{
    char taken[PATH_MAX];
    size_t len = strlen(path);

    if (len < 6 || strcmp(path + len - 6, ".store"))
        return -1;
    memcpy(taken, path, len - 6);
    strcpy(taken + len - 6, ".taken");
    if (rename(path, taken))
        return -1;
    memcpy(path, taken, len + 1);
    return 0;
}

/* The other way: nobody has written it out. path is that of a claimed one. */
void rp_session_give_back(const char *path)
{
    char store[PATH_MAX];
    size_t len = strlen(path);

    if (len < 6 || len >= sizeof store || strcmp(path + len - 6, ".taken"))
        return;
    memcpy(store, path, len - 6);
    strcpy(store + len - 6, ".store");
    if (link(path, store) == 0) /* never over another one */
        unlink(path);
}

/* Removes the claimed stores; returns how many unclaimed ones there are. */
static int remove_taken(const char *dir)
{
    struct rp_session_store one;
    struct dirent *entry;
    int left = 0;
    DIR *d = opendir(dir);

    if (!d)
        return 0;
    while ((entry = readdir(d))) {
        size_t len = strlen(entry->d_name);
        if (len > 6 && !strcmp(entry->d_name + len - 6, ".taken"))
            unlinkat(dirfd(d), entry->d_name, 0);
        left += is_store_name(entry->d_name, &one);
    }
    closedir(d);
    return left;
}

/*
 * Removes claimed stores, the notes and, if nothing is left, the folder. A process may put a new
 * store there meanwhile: then `closed` comes back, so that it writes its own file.
 */
void rp_session_remove(const char *dir)
{
    static const char *const notes[] = {"librperf.so", "session", "closed"};
    char path[PATH_MAX];

    if (rp_session_check(dir, NULL) || remove_taken(dir))
        return;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (!join(dir, notes[i], path))
            unlink(path);
    if (rmdir(dir))
        rp_session_close(dir, NULL);
}

/* State letter and start of a process as /proc/PID/stat has them. -1: no such process. */
static int read_stat(pid_t pid, char *state, uint64_t *start_ticks)
{
    char path[32], text[1024], *p;
    unsigned long long start;
    ssize_t n;
    int fd;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return -1;
    text[n] = 0;
    p = strrchr(text, ')'); /* the name before it may hold anything */
    if (!p || sscanf(p + 1,
                     " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                     "%llu",
                     state, &start) != 2)
        return -1;
    *start_ticks = start;
    return 0;
}

/* Field 22 of /proc/PID/stat, 0 when there is no such process. */
uint64_t rp_session_pid_start(pid_t pid)
{
    uint64_t start;
    char state;

    return read_stat(pid, &state, &start) ? 0 : start;
}

/* 1 if the process pid that began at start_ticks still runs (a zombie does not). */
int rp_session_pid_alive(pid_t pid, uint64_t start_ticks)
{
    uint64_t start;
    char state;

    return !read_stat(pid, &state, &start) && start == start_ticks && !strchr("ZXx", state);
}
