/*
 * session.h - the session folder that the stores of a process tree lie in, and the output file:
 * what launcher and agent agree on.
 *
 * A session is a private folder rperf-<uid>-<pid>-<random> (0700, ours, no links followed) in the
 * first of RPERF_TMPDIR, /dev/shm, TMPDIR, /tmp that can be written and has room. It holds
 *     <pid>.<n>.store      one per process image (n counts exec in place), 0600, close-on-exec
 *     closed               made by the owner when it begins to merge: who is still alive then
 * writes its own file session              text: output, format, command, owner pid (for recover)
 *     librperf.so          a link, where the library's path has blanks or colons
 * Whoever renames <pid>.<n>.store to <pid>.<n>.taken first writes it out: no process is written
 * twice, none is lost.
 *
 * No Ruby here. Usable from any thread, not from a signal handler.
 */
#ifndef RP_SESSION_H
#define RP_SESSION_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "../encoders/error.h"
#include "../encoders/format.h"
#include "../encoders/profile.h"
#include "options.h"

/* Makes the folder; dir gets its path. Folders that others can write without the sticky bit are
 * passed over. -1: nowhere (one line). */
int rp_session_create(const char *tmpdir_option, char dir[PATH_MAX], struct rp_error *err);
/* Checks that dir is a session of this user (owner, mode, no link). */
int rp_session_check(const char *dir, struct rp_error *err);
/* Opens a new store file for pid with the next free n. Returns the descriptor (O_CLOEXEC), path
 * gets its name. */
int rp_session_open_store(const char *dir, pid_t pid, char path[PATH_MAX], struct rp_error *err);
/* 1 if the owner has begun to merge (or the folder is gone). */
int rp_session_is_closed(const char *dir);
int rp_session_close(const char *dir, struct rp_error *err);
/* Renames a store so that nobody else writes it out; 0, or -1 when somebody else has. path becomes
 * the new name. */
int rp_session_claim(char path[PATH_MAX]);
/* Removes claimed stores, the notes and, if nothing is left, the folder. */
void rp_session_remove(const char *dir);

/* Field 22 of /proc/PID/stat, 0 when there is no such process. */
uint64_t rp_session_pid_start(pid_t pid);

/* Expands %p %t %h %% in pattern (relative paths become absolute by cwd). -1: too long. */
int rp_output_expand(const char *pattern, pid_t pid, time_t start, char out[PATH_MAX],
                     struct rp_error *err);
/*
 * Whether path could be written, found without writing anything: folder there and writable, a link
 * or device opened and closed. -1: err says why and names the path.
 */
int rp_output_probe(const char *path, struct rp_error *err);
/* NAME.<pid>.<n>.EXT (n > 0) or NAME.<pid>.EXT (n = 0) beside path. */
int rp_output_sibling(const char *path, pid_t pid, int n, char out[PATH_MAX], struct rp_error *err);
/*
 * Writes p to path whole or not at all: temporary file beside it, fsync, rename; what exists and is
 * no regular file is written in place. keep_old: an existing regular file becomes path.old. format
 * NULL: by extension.
 */
int rp_output_write(const char *path, const struct rp_format *format, int keep_old,
                    const struct rp_profile *p, struct rp_error *err);

#endif
