/*
 * output.h - the file that a profile goes to: its name, whether it can be written, writing it.
 *
 * Used by the launcher and, for snapshots and without a launcher, by the agent. No Ruby here.
 * Usable from any thread, not from a signal handler. Writing can raise SIGPIPE and SIGXFSZ: the
 * calling thread blocks them.
 */
#ifndef RP_OUTPUT_H
#define RP_OUTPUT_H

#include <limits.h>
#include <sys/types.h>
#include <time.h>

#include "../encoders/error.h"
#include "../encoders/format.h"
#include "../encoders/profile.h"

/*
 * Expands %p %t %h %% in pattern (relative paths become absolute by the current folder). pid 0:
 * %p and %% stay, and so out is again a pattern, an absolute one. -1: too long, no current folder.
 */
int rp_output_expand(const char *pattern, pid_t pid, time_t start, char out[PATH_MAX],
                     struct rp_error *err);
/* 1 if the pattern gives each process its own file. */
int rp_output_has_pid(const char *pattern);
/*
 * Whether path could be written, found without leaving, changing or opening anything that is there.
 * -1: err says why and names the path.
 */
int rp_output_probe(const char *path, struct rp_error *err);
/* NAME.<pid>.<n>.EXT (n > 0) or NAME.<pid>.EXT (n = 0) beside path. -1: too long, or path is a
 * device or a pipe. */
int rp_output_sibling(const char *path, pid_t pid, int n, char out[PATH_MAX], struct rp_error *err);
/*
 * Writes p to path whole or not at all: temporary file beside it, fsync, rename; what exists and is
 * no regular file is written in place. keep_old: an existing regular file becomes path.old. format
 * NULL: by extension.
 */
int rp_output_write(const char *path, const struct rp_format *format, int keep_old,
                    const struct rp_profile *p, struct rp_error *err);

#endif
