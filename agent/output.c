/*
 * output.c - names of output files, the probe before the start, and the write that leaves either
 * the whole profile or what was there before.
 *
 * Called by the launcher and by the agent (snapshots, and at the end without a launcher). Never
 * writes outside the folder of the named file, never over a device or through a rename of a link.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../encoders/sink.h"

/* Text that grows in a PATH_MAX buffer; sticky overflow. */
struct path_text {
    char *out;
    size_t n;
};

static void put(struct path_text *t, const char *s, size_t len)
{
    if (t->n + len < PATH_MAX)
        memcpy(t->out + t->n, s, len);
    t->n += len;
}

/* One %x of the pattern. */
static void put_escape(struct path_text *t, char letter, pid_t pid, time_t start)
{
    char text[256] = "";
    struct tm tm;

    switch (letter) {
    case 'p':
        if (pid)
            snprintf(text, sizeof text, "%d", (int)pid);
        else
            strcpy(text, "%p");
        break;
    case 't':
        strftime(text, sizeof text, "%Y%m%d-%H%M%S", gmtime_r(&start, &tm));
        break;
    case 'h':
        if (gethostname(text, sizeof text - 1))
            strcpy(text, "localhost");
        break;
    case '%':
        strcpy(text, pid ? "%" : "%%");
        break;
    default:
        text[0] = '%';
        text[1] = letter;
    }
    put(t, text, strlen(text));
}

/* The current folder in front of a relative pattern. */
static int put_folder(struct path_text *t, pid_t pid)
{
    char cwd[PATH_MAX];

    if (!getcwd(cwd, sizeof cwd))
        return -1;
    for (const char *p = cwd; *p; p++)
        put(t, pid == 0 && *p == '%' ? "%%" : p, pid == 0 && *p == '%' ? 2 : 1);
    if (strcmp(cwd, "/") != 0)
        put(t, "/", 1);
    return 0;
}

/*
 * Expands %p %t %h %% in pattern (relative paths become absolute by the current folder). pid 0:
 * %p and %% stay, and so out is again a pattern, an absolute one. -1: too long, no current folder.
 */
int rp_output_expand(const char *pattern, pid_t pid, time_t start, char out[PATH_MAX],
                     struct rp_error *err)
{
    struct path_text t = {out, 0};

    if (!*pattern)
        return rp_error_set(err, 0, "the name of the output is empty");
    if (*pattern != '/' && put_folder(&t, pid))
        return rp_error_set(err, errno, "cannot write %s", pattern);
    for (const char *p = pattern; *p; p++) {
        if (*p == '%' && p[1])
            put_escape(&t, *++p, pid, start);
        else
            put(&t, p, 1);
    }
    if (t.n >= PATH_MAX)
        return rp_error_set(err, ENAMETOOLONG, "cannot write %.200s", pattern);
    out[t.n] = 0;
    return 0;
}

/* 1 if the pattern gives each process its own file. */
int rp_output_has_pid(const char *pattern)
{
    for (const char *p = pattern; *p; p++)
        if (*p == '%' && *++p == 'p')
            return 1;
        else if (!*p)
            break;
    return 0;
}

/* The descriptor that a name like /dev/stdout means, -1 when it means none. Opening such a name
 * would give a regular file a second offset, and the profile would land on the program's output. */
static int named_descriptor(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    char *end;

    if (!strcmp(path, "/dev/stdout"))
        return 1;
    if (!strcmp(path, "/dev/stderr"))
        return 2;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t len = strlen(folders[i]);
        if (!strncmp(path, folders[i], len) && path[len] >= '0' && path[len] <= '9') {
            long fd = strtol(path + len, &end, 10);
            return *end || fd > INT_MAX ? -1 : (int)fd;
        }
    }
    return -1;
}

/* The folder that the name of path lies in. */
static void folder_of(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t len = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);

    if (!slash)
        strcpy(out, ".");
    else
        snprintf(out, PATH_MAX, "%.*s", (int)len, path);
}

/* 0 if a new name can be made in the folder of path, else errno. */
static int folder_error(const char *path)
{
    char folder[PATH_MAX];
    struct stat st;

    folder_of(path, folder);
    if (stat(folder, &st))
        return errno;
    if (!S_ISDIR(st.st_mode))
        return ENOTDIR;
    return faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) ? errno : 0;
}

/* Moves fd out of the way of 0 to 2, which a program may have closed; takes fd over. */
static int away_from_std(int fd)
{
    int high;

    if (fd < 0 || fd > 2)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    return high;
}

/* A new file beside path under a name that nobody uses; temporary gets it. */
static int open_temporary(const char *path, char temporary[PATH_MAX])
{
    char folder[PATH_MAX];

    folder_of(path, folder);
    for (int i = 0; i < 1000; i++) {
        int fd;
        if (snprintf(temporary, PATH_MAX, "%s/.rperf-%d-%d.tmp", folder, (int)getpid(), i) >=
            PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return away_from_std(fd);
    }
    return -1;
}

/* 0 if a file can really be made in the folder of path, else errno. Nothing is left of it. Rights alone do not tell: /proc
 * lets root in and takes no file. */
static int new_file_error(const char *path)
{
    char folder[PATH_MAX], temporary[PATH_MAX];
    int errnum = folder_error(path), fd;

    if (errnum)
        return errnum;
    folder_of(path, folder);
    fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    else if (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL) { /* not everywhere: by name then */
        fd = open_temporary(path, temporary);
        if (fd >= 0) {
            close(fd);
            unlink(temporary);
        }
    }
    return fd >= 0 || errno == EMFILE || errno == ENFILE ? 0 : errno;
}

/* 0 if what the link points to (and is not there yet) can be made, else errno. */
static int dangling_error(const char *path)
{
    char target[PATH_MAX], folder[PATH_MAX], full[2 * PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);

    if (n < 0)
        return errno;
    target[n] = 0;
    folder_of(path, folder);
    snprintf(full, sizeof full, "%s%s%s", *target == '/' ? "" : folder, *target == '/' ? "" : "/",
             target);
    return new_file_error(full);
}

/* How path is written: 1 in place, 0 by a new file and rename. A regular file in a folder that
 * takes no new file (or a file that is a mount of its own) is written in place as well. */
static int in_place(const char *path, const struct stat *st)
{
    return !S_ISREG(st->st_mode) || folder_error(path) != 0;
}

/* errno of what stands in the way of writing path, 0 for nothing. */
static int probe_error(const char *path)
{
    int fd = named_descriptor(path);
    struct stat st, target;

    if (fd >= 0) {
        int flags = fcntl(fd, F_GETFL);
        return flags < 0 ? errno : (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
    }
    if (lstat(path, &st)) {
        const char *slash = strrchr(path, '/');
        if (errno != ENOENT)
            return errno;
        if (slash && strlen(slash + 1) > NAME_MAX)
            return ENAMETOOLONG;
        return slash && !slash[1] ? EISDIR : new_file_error(path);
    }
    if (stat(path, &target))
        return errno == ENOENT ? dangling_error(path) : errno;
    if (S_ISDIR(target.st_mode))
        return EISDIR;
    if (!in_place(path, &st))
        return 0;
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) ? errno : 0;
}

/*
 * Whether path could be written, found without leaving, changing or opening anything that is there (a reader at a pipe
 * would take the close for the end). -1: err says why and names the path.
 */
int rp_output_probe(const char *path, struct rp_error *err)
{
    int errnum = probe_error(path);

    return errnum ? rp_error_set(err, errnum, "cannot write %s", path) : 0;
}

/* NAME.<pid>.<n>.EXT (n > 0) or NAME.<pid>.EXT (n = 0) beside path. -1: too long, or path is a
 * device or a pipe, beside which nothing belongs. */
int rp_output_sibling(const char *path, pid_t pid, int n, char out[PATH_MAX], struct rp_error *err)
{
    size_t suffix = rp_format_suffix(path);
    char number[16] = "";
    struct stat st;

    if (named_descriptor(path) >= 0 || (!stat(path, &st) && !S_ISREG(st.st_mode)))
        return rp_error_set(err, 0, "no file can be made beside %s", path);
    if (n > 0)
        snprintf(number, sizeof number, ".%d", n);
    if (snprintf(out, PATH_MAX, "%.*s.%d%s%s", (int)suffix, path, (int)pid, number,
                 path + suffix) >= PATH_MAX)
        return rp_error_set(err, ENAMETOOLONG, "cannot write %.200s", path);
    return 0;
}

/* Encodes into fd and closes it. sync: on disk when it returns. */
static int encode_to(int fd, const char *path, const struct rp_format *format, int sync,
                     const struct rp_profile *p, struct rp_error *err)
{
    struct rp_sink *sink = rp_sink_to_fd(fd, rp_format_gzip(format, path));
    struct rp_error reason = {ENOMEM, ""};
    int rc = -1;

    if (sink) {
        format->encode(p, sink);
        rc = rp_sink_finish(sink, &reason);
    }
    /* what cannot be synced at all (EINVAL, EROFS) is no failure of the write */
    if (!rc && sync && fsync(fd) && errno != EINVAL && errno != EROFS) {
        reason.errnum = errno;
        rc = -1;
    }
    if (close(fd) && !rc && errno != EINTR) {
        reason.errnum = errno;
        rc = -1;
    }
    if (rc)
        rp_error_set(err, reason.errnum, "profile not written to %s%s%s", path,
                     reason.errnum ? "" : ": ", reason.errnum ? "" : reason.what);
    return rc;
}

static int write_in_place(const char *path, const struct rp_format *format,
                          const struct rp_profile *p, struct rp_error *err)
{
    int named = named_descriptor(path), fd;

    if (named >= 0) {
        fd = fcntl(named, F_DUPFD_CLOEXEC, 3);
    } else {
        /* a pipe without a reader is an error and not a wait for ever */
        fd = away_from_std(
            open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666));
        if (fd >= 0)
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    }
    if (fd < 0)
        return rp_error_set(err, errno, "profile not written to %s", path);
    return encode_to(fd, path, format, 0, p, err);
}

/* Puts the finished temporary file in the place of path. */
static int replace(const char *temporary, const char *path, int keep_old)
{
    char old[PATH_MAX];

    if (keep_old && snprintf(old, sizeof old, "%s.old", path) < PATH_MAX)
        if (rename(path, old) && errno != ENOENT)
            return -1;
    return rename(temporary, path);
}

static int write_new(const char *path, const struct rp_format *format, int keep_old,
                     const struct stat *existing, const struct rp_profile *p, struct rp_error *err)
{
    char temporary[PATH_MAX];
    int fd = open_temporary(path, temporary), errnum;

    if (fd < 0)
        return rp_error_set(err, errno, "profile not written to %s", path);
    if (existing)
        fchmod(fd, existing->st_mode & 0777);
    if (encode_to(fd, path, format, 1, p, err)) {
        unlink(temporary);
        return -1;
    }
    if (!replace(temporary, path, keep_old))
        return 0;
    errnum = errno;
    unlink(temporary);
    if (errnum == EBUSY) /* a file that is a mount of its own: it can only be written in place */
        return write_in_place(path, format, p, err);
    return rp_error_set(err, errnum, "profile not written to %s", path);
}

/*
 * Writes p to path whole or not at all: temporary file beside it, fsync, rename; what exists and is
 * no regular file is written in place. keep_old: an existing regular file becomes path.old. format
 * NULL: by extension. -1: err names the path.
 */
int rp_output_write(const char *path, const struct rp_format *format, int keep_old,
                    const struct rp_profile *p, struct rp_error *err)
{
    struct stat st;
    int exists = !lstat(path, &st);

    if (!format)
        format = rp_format_by_path(path);
    if (p->oom)
        return rp_error_set(err, ENOMEM, "profile not written to %s", path);
    if (named_descriptor(path) >= 0 || (exists && in_place(path, &st)))
        return write_in_place(path, format, p, err);
    return write_new(path, format, keep_old && exists, exists ? &st : NULL, p, err);
}
