/*
 * plain.h - a name as one harmless line of text, for the formats that people and line-based tools
 * read.
 */
#ifndef RP_PLAIN_H
#define RP_PLAIN_H

#include <stddef.h>

#include "buf.h"

/*
 * Appends s as valid UTF-8 without control characters (C0, DEL, C1, the separators U+2028 and
 * U+2029: blanks instead), without blanks at either end. semicolon takes the place of ';'. A name
 * of which nothing is left becomes [unknown].
 */
void rp_plain_add(struct rp_buf *out, const char *s, size_t len, char semicolon);

#endif
