/*
 * harvest.h - from the stores of a session to profiles: what the owner of a session (the launcher, or
 * the first Ruby process without one) does at the end.
 *
 * No Ruby here. Usable from any thread, not from a signal handler.
 */
#ifndef RP_HARVEST_H
#define RP_HARVEST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../encoders/error.h"
#include "../encoders/profile.h"

struct rp_harvest_store {
    pid_t pid;
    int n;
    int bad; /* reported, left out */
    char *path;
};

struct rp_harvest {
    struct rp_harvest_store *all; /* sorted: the images of a process are together */
    size_t n;
    size_t seen; /* stores that there were at all */
    int alive;   /* of them left to their processes */
};

/* What the owner knows of the first process's end; 0: unknown. */
struct rp_harvest_first {
    pid_t pid;
    uint64_t ended_mono_ns;
    uint64_t cpu_ns;
};

/* Closes the session and claims every store whose process is over (take_alive: of all, for an owner
 * that takes everybody with it). -1: err. Free it in either case. */
int rp_harvest_gather(struct rp_harvest *s, const char *session, int take_alive,
                      struct rp_error *err);
/*
 * Reads all stores of process pid (0: of all) into p (initialised here, freed by the caller), the
 * first process's first. A store that cannot be read is said, and as it may have left half of itself
 * in p, all begins anew without it. Returns how many are in p.
 */
int rp_harvest_merge(struct rp_harvest *s, pid_t pid, const struct rp_harvest_first *first,
                     void (*say)(const char *fmt, ...), struct rp_profile *p);
/* What was read of process pid (0: of all) could not be written: its stores go back into the session, so that it stays,
 * for recover. */
void rp_harvest_give_back(const struct rp_harvest *s, pid_t pid);
void rp_harvest_free(struct rp_harvest *s);

#endif
