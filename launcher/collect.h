/*
 * collect.h - from the stores of a session to the profile that the user asked for.
 */
#ifndef RP_COLLECT_H
#define RP_COLLECT_H

#include <time.h>

#include "../encoders/format.h"
#include "supervise.h"

struct rp_collect {
    const char *session;            /* folder */
    const char *command;            /* name of what ran, for the messages */
    const char *pattern;            /* of the output, absolute; NULL: no file */
    const struct rp_format *format; /* NULL: by extension */
    time_t start;
    int keep_old; /* an existing output becomes .old */
    int print;    /* the text report to stdout as well */
    int verbose;
    int tell; /* say where the file is */
};

/*
 * Merges what the processes of the session left, one profile in all or (%p in the pattern) one a
 * process, writes it and removes the session. Every trouble is one line on stderr; the status of
 * the run stays the command's, so nothing is returned.
 */
void rp_collect(const struct rp_collect *c, const struct rp_child *child);

#endif
