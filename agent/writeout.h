/*
 * writeout.h - where this process's store lies, and who writes its profile: the launcher, the first Ruby process of a session
 * without one (the owner), or a process that has outlived its owner.
 */
#ifndef RP_WRITEOUT_H
#define RP_WRITEOUT_H

#include <limits.h>

#include "../encoders/profile.h"
#include "../encoders/store.h"
#include "options.h"

/* Takes down what the output is called, from the folder of now. -1: said why, no profile. ctx: constructor. */
int rp_writeout_init(const struct rp_options *options);
/*
 * Opens this process's store, in the session's folder if there is room, else in memory (one warning; the process then writes its own
 * file). The first Ruby process without a session makes one. NULL: said why. ctx: GVL held.
 */
struct rp_store_writer *rp_writeout_open_store(struct rp_store_config *config);
/* Facts of this process for the profile's comments. */
void rp_writeout_describe(struct rp_store_writer *store);
/* Writes what this process has to write, at its end. ctx: end proc, collector joined. */
void rp_writeout_end(struct rp_store_writer *store);
/* A snapshot of this process to NAME.<pid>.<n>.EXT; said when it fails. ctx: snapshot thread. */
void rp_writeout_snapshot(struct rp_store_writer *store, int n);
/* In a fork's child: the store is the parent's. ctx: fork child. */
void rp_writeout_forget(void);

#endif
