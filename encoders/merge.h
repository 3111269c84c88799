/*
 * merge.h - several profiles become one.
 */
#ifndef RP_MERGE_H
#define RP_MERGE_H

#include "error.h"
#include "profile.h"

/*
 * Adds src to dst. An empty dst (no types) takes over the types of src; else both must have the
 * same types, in any order. Samples with equal stacks and labels become one (unless
 * dst->keep_apart), the time span covers both, counters are added, comments are kept once each.
 * 0; -1: dst has no new sample if the types differ, partly filled if memory ran out.
 */
int rp_profile_merge(struct rp_profile *dst, const struct rp_profile *src, struct rp_error *err);

#endif
