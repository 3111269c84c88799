/*
 * environment.h - the environment that the command gets.
 */
#ifndef RP_ENVIRONMENT_H
#define RP_ENVIRONMENT_H

#include <stdio.h>

#include "../agent/options.h"

struct rp_environment {
    char **vars;  /* as execve takes it */
    size_t first; /* vars[first...] are set by us, those before are inherited */
};

/*
 * What we inherited less RPERF_* (but RPERF_TMPDIR) and LD_PRELOAD, then LD_PRELOAD=preload and
 * what differs from the defaults in o, its output and session as they stand there. -1: out of
 * memory. Free it with rp_environment_free, also after -1.
 */
int rp_environment_build(struct rp_environment *e, const struct rp_options *o, const char *preload,
                         struct rp_error *err);
void rp_environment_free(struct rp_environment *e);
/* Our part as `export NAME='value'` lines. */
void rp_environment_print(const struct rp_environment *e, FILE *out);

#endif
