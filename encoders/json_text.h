/*
 * json_text.h - strings in JSON, for the formats that are JSON.
 */
#ifndef RP_JSON_TEXT_H
#define RP_JSON_TEXT_H

#include <stddef.h>

#include "profile.h"
#include "sink.h"

/* Writes s as a JSON string with its quotes: valid UTF-8 whatever s holds, and harmless inside of a
 * <script> element ('<', U+2028 and U+2029 are escaped). */
void rp_json_text(struct rp_sink *out, const char *s, size_t len);
/* The same for a string of a profile. */
void rp_json_string(struct rp_sink *out, const struct rp_profile *p, uint32_t id);

#endif
