/*
 * encode.h - the encoders: a profile in, bytes out. Callers go by the registry (format.h).
 *
 * All are pure: no files, no clock, no globals; the same profile gives the same bytes. None reports
 * a failure: the sink keeps it.
 */
#ifndef RP_ENCODE_H
#define RP_ENCODE_H

#include "profile.h"
#include "sink.h"

void rp_encode_pprof(const struct rp_profile *p, struct rp_sink *s);
void rp_encode_collapsed(const struct rp_profile *p, struct rp_sink *s);
void rp_encode_text(const struct rp_profile *p, struct rp_sink *s);
void rp_encode_json(const struct rp_profile *p, struct rp_sink *s);
void rp_encode_speedscope(const struct rp_profile *p, struct rp_sink *s);

#endif
