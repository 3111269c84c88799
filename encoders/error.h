/*
 * error.h - how a function of encoders/ or launcher/ tells its caller what went wrong.
 *
 * Functions that can fail return 0 or -1 and fill a struct rp_error: one line, already worded for
 * the user ("what, where, what to do"), without the leading "rperf: " and without a newline. Shared
 * code never prints and never exits; the caller does.
 */
#ifndef RP_ERROR_H
#define RP_ERROR_H

struct rp_error {
    int errnum; /* errno of the failed call, 0 when there was none */
    char what[512];
};

/* Fills err (may be NULL) by printf rules; errnum != 0 appends ": strerror". Always returns -1. */
int rp_error_set(struct rp_error *err, int errnum, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
