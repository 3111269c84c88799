/*
 * library.h - where librperf.so is, and what LD_PRELOAD must say.
 */
#ifndef RP_LIBRARY_H
#define RP_LIBRARY_H

#include <limits.h>

#include "../encoders/error.h"

/* Finds librperf.so: beside the launcher, in ../lib of its folder, in the install folder. -1: err
 * says where it was looked for. */
int rp_library_find(char path[PATH_MAX], struct rp_error *err);
/*
 * The value of LD_PRELOAD: what inherited (may be NULL) holds, then library. A path that LD_PRELOAD
 * cannot hold goes through a link in the folder session ("": there is none). Returns a string that
 * the caller frees, NULL with err.
 */
char *rp_library_preload(const char *library, const char *inherited, const char *session,
                         struct rp_error *err);

#endif
