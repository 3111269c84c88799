/*
 * statistics.h - what -v says about a finished profile.
 */
#ifndef RP_STATISTICS_H
#define RP_STATISTICS_H

#include "profile.h"
#include "sink.h"

/* Writes mode, frequency, sampling calls, samples and the top ten functions, flat and cumulative,
 * in the gem's words, each line begun with "rperf: ". Says nothing of what p does not know. */
void rp_statistics_write(const struct rp_profile *p, struct rp_sink *s);

#endif
