/*
 * pprof_read.h - reads pprof profiles, ours and others'.
 */
#ifndef RP_PPROF_READ_H
#define RP_PPROF_READ_H

#include <stddef.h>

#include "error.h"
#include "profile.h"

/*
 * Fills the fresh profile p from a whole file in memory, gzip or raw, which may hold anything.
 * max_bytes: the most that gzip may unpack to. Inlined calls become frames of their own; a location
 * without a name is named by its address, in the file of its mapping. The default type is the one
 * that the file names, else the last.
 *
 * 0; -1: err says at which byte (of the unpacked file) what is wrong, the caller adds the file's
 * name, and p is partly filled: free it.
 */
int rp_pprof_read(const void *data, size_t size, size_t max_bytes, struct rp_profile *p,
                  struct rp_error *err);

#endif
