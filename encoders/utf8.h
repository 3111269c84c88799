/*
 * utf8.h - valid UTF-8 out of any bytes: names of methods and files hold whatever a program put
 * there, while the formats we write promise text.
 *
 * What is invalid (stray and missing continuation bytes, overlong forms, surrogates, beyond
 * U+10FFFF) becomes U+FFFD, one for each longest piece that could have begun a character, as the
 * Unicode standard recommends. Pure functions; nothing allocates.
 */
#ifndef RP_UTF8_H
#define RP_UTF8_H

#include <stddef.h>

#define RP_UTF8_REPLACEMENT "\xEF\xBF\xBD"

/*
 * Bytes of the first character of s (len > 0 of them): 1 to 4 with *valid = 1; or, with *valid = 0,
 * how many bytes one U+FFFD stands for.
 */
size_t rp_utf8_next(const char *s, size_t len, int *valid);

/* 1 if all of s is valid. */
int rp_utf8_is_valid(const char *s, size_t len);

/*
 * Writes s as valid UTF-8 into out, at most out_size bytes, cut between two characters; no NUL is
 * added. Returns the bytes written. 3 * len bytes always suffice.
 */
size_t rp_utf8_repair(char *out, size_t out_size, const char *s, size_t len);

#endif
