/*
 * library.c - finds librperf.so and composes LD_PRELOAD after what the user has in it.
 */
#include "library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RP_LIBDIR
#define RP_LIBDIR "/usr/local/lib"
#endif

#define NAME "librperf.so"
/* ld.so separates by blanks and colons and expands $LIB and the like */
#define UNFIT " :$"

/* Finds librperf.so: beside the launcher, in ../lib of its folder, in the install folder. -1: err
 * says where it was looked for. */
int rp_library_find(char path[PATH_MAX], struct rp_error *err)
{
    char own[PATH_MAX] = "", candidate[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash = n > 0 ? strrchr(own, '/') : NULL;

    if (slash) {
        *slash = 0;
        snprintf(candidate, sizeof candidate, "%s/" NAME, own);
        if (realpath(candidate, path))
            return 0;
        snprintf(candidate, sizeof candidate, "%s/../lib/" NAME, own);
        if (realpath(candidate, path))
            return 0;
    }
    if (realpath(RP_LIBDIR "/" NAME, path))
        return 0;
    return rp_error_set(err, 0, NAME " not found in %s, %s/../lib, " RP_LIBDIR, own, own);
}

/* Makes the link in the session; path becomes its name. */
static int link_library(char path[PATH_MAX], const char *session, struct rp_error *err)
{
    char link[PATH_MAX];

    if (!*session || strpbrk(session, UNFIT))
        return rp_error_set(err, 0,
                            "LD_PRELOAD cannot hold the path %s (blank, colon or $): put the "
                            "library elsewhere",
                            path);
    if (snprintf(link, sizeof link, "%s/" NAME, session) >= (int)sizeof link)
        return rp_error_set(err, ENAMETOOLONG, "cannot make a link in %s", session);
    if (symlink(path, link) && errno != EEXIST)
        return rp_error_set(err, errno, "cannot make %s", link);
    strcpy(path, link);
    return 0;
}

/* Whether this entry is a librperf.so: of a launcher around us, and two of them in one process
 * would both profile it. */
static int is_ours(const char *entry, size_t len)
{
    size_t n = strlen(NAME);

    return len >= n && !memcmp(entry + len - n, NAME, n) && (len == n || entry[len - n - 1] == '/');
}

/*
 * The value of LD_PRELOAD: what inherited (may be NULL) holds, then library. A path that LD_PRELOAD
 * cannot hold goes through a link in the folder session ("": there is none). Returns a string that
 * the caller frees, NULL with err.
 */
char *rp_library_preload(const char *library, const char *inherited, const char *session,
                         struct rp_error *err)
{
    char path[PATH_MAX], *value, *end;

    snprintf(path, sizeof path, "%s", library);
    if (strpbrk(path, UNFIT) && link_library(path, session, err))
        return NULL;
    inherited = inherited ? inherited : "";
    value = end = malloc(strlen(inherited) + strlen(path) + 2);
    if (!value) {
        rp_error_set(err, ENOMEM, "LD_PRELOAD");
        return NULL;
    }
    for (const char *p = inherited + strspn(inherited, " :"); *p; p += strspn(p, " :")) {
        size_t len = strcspn(p, " :");
        if (!is_ours(p, len)) {
            memcpy(end, p, len);
            end += len;
            *end++ = ':';
        }
        p += len;
    }
    strcpy(end, path);
    return value;
}
