/*
 * session.h - the session folder that the stores of a process tree lie in: what launcher and agent
 * agree on.
 *
 * A session is a private folder rperf-<uid>-<pid>-<random> (0700, ours, no links followed) in the
 * first of RPERF_TMPDIR, /dev/shm, TMPDIR, /tmp that can be written and has room. It holds
 *     <pid>.<n>.store      one per process image (n from 1 counts exec in place), 0600
 *     closed               made by the owner when it begins to merge: who is still alive then
 *                          writes its own file
 *     session              text, a "key value" a line: owner, output, format, command (for recover)
 *     librperf.so          a link, where the library's path has blanks or colons
 * Whoever renames <pid>.<n>.store to <pid>.<n>.taken first writes it out: no process is written
 * twice, none is lost. The owner makes `closed` and then looks at the stores; a process first marks
 * its store as ended and then looks for `closed`: at least one of the two sees the other.
 *
 * No Ruby here. Usable from any thread, not from a signal handler.
 */
#ifndef RP_SESSION_H
#define RP_SESSION_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../encoders/error.h"
#include "output.h"

/* Makes the folder; dir gets its path. Folders that others can write without the sticky bit are
 * passed over. -1: nowhere (one line). */
int rp_session_create(const char *tmpdir_option, char dir[PATH_MAX], struct rp_error *err);
/* Checks that dir is a session of this user (owner, mode, no link). */
int rp_session_check(const char *dir, struct rp_error *err);
/* Writes the file `session`: what somebody who finds the folder without its owner must know. */
int rp_session_note(const char *dir, pid_t owner, const char *output, const char *format,
                    const char *command, struct rp_error *err);
/* Opens a new store file for pid with the next free n. Returns the descriptor (>= 3, close-on-exec,
 * the caller's), path gets its name. */
int rp_session_open_store(const char *dir, pid_t pid, char path[PATH_MAX], struct rp_error *err);
/* 1 if the owner has begun to merge (or the folder is gone). */
int rp_session_is_closed(const char *dir);
int rp_session_close(const char *dir, struct rp_error *err);

/* The stores that nobody has claimed yet, by pid and n, in an array that the caller frees. */
struct rp_session_store {
    pid_t pid;
    int n;
};
int rp_session_list(const char *dir, struct rp_session_store **stores, size_t *count,
                    struct rp_error *err);
/* Path of such a store. -1: too long. */
int rp_session_store_path(const char *dir, const struct rp_session_store *store,
                          char path[PATH_MAX]);
/* Renames a store so that nobody else writes it out; 0, or -1 when somebody else has. path becomes
 * the new name. */
int rp_session_claim(char path[PATH_MAX]);
/* The other way: nobody has written it out. path is that of a claimed one. */
void rp_session_give_back(const char *path);
/* Removes claimed stores, the notes and, if nothing is left, the folder. */
void rp_session_remove(const char *dir);

/* Field 22 of /proc/PID/stat, 0 when there is no such process. */
uint64_t rp_session_pid_start(pid_t pid);
/* 1 if the process pid that began at start_ticks still runs (a zombie does not). */
int rp_session_pid_alive(pid_t pid, uint64_t start_ticks);

#endif
