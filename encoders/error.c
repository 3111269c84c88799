/*
 * error.c - words a failure once, for whoever prints it.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int rp_error_set(struct rp_error *err, int errnum, const char *fmt, ...)
{
    if (err == NULL)
        return -1;
    err->errnum = errnum;

    va_list args;
    va_start(args, fmt);
    int used = vsnprintf(err->what, sizeof err->what, fmt, args);
    va_end(args);

    if (used < 0) {
        used = 0;
        err->what[0] = '\0';
    }
    if (errnum != 0 && (size_t)used < sizeof err->what) {
        char text[128];
        snprintf(err->what + used, sizeof err->what - (size_t)used, ": %s",
                 strerror_r(errnum, text, sizeof text));
    }
    return -1;
}
