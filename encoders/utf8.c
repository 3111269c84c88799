/*
 * utf8.c - checks and repairs UTF-8 by the table of well-formed sequences (Unicode 3.9, table 3-7).
 */
#include "utf8.h"

#include <string.h>

/* The range of the second byte and the length that a lead byte asks for; 0: it cannot lead. */
static size_t lead(unsigned char c, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (c >= 0xC2 && c <= 0xDF)
        return 2;
    if (c >= 0xE0 && c <= 0xEF) {
        if (c == 0xE0)
            *low = 0xA0; /* overlong below */
        if (c == 0xED)
            *high = 0x9F; /* surrogates above */
        return 3;
    }
    if (c >= 0xF0 && c <= 0xF4) {
        if (c == 0xF0)
            *low = 0x90; /* overlong below */
        if (c == 0xF4)
            *high = 0x8F; /* beyond U+10FFFF above */
        return 4;
    }
    return 0;
}

size_t rp_utf8_next(const char *s, size_t len, int *valid)
{
    const unsigned char *u = (const unsigned char *)s;
    *valid = 1;
    if (u[0] < 0x80)
        return 1;

    unsigned char low, high;
    size_t want = lead(u[0], &low, &high);
    if (want == 0) {
        *valid = 0;
        return 1;
    }
    for (size_t i = 1; i < want; i++) {
        if (i == len || u[i] < low || u[i] > high) {
            *valid = 0;
            return i;
        }
        low = 0x80;
        high = 0xBF;
    }
    return want;
}

/* How many bytes at the start of s are ASCII: nearly all names are nothing else. */
static size_t ascii_prefix(const char *s, size_t len)
{
    size_t i = 0;
    while (i < len && (unsigned char)s[i] < 0x80)
        i++;
    return i;
}

int rp_utf8_is_valid(const char *s, size_t len)
{
    size_t at = ascii_prefix(s, len);
    while (at < len) {
        int valid;
        at += rp_utf8_next(s + at, len - at, &valid);
        if (!valid)
            return 0;
    }
    return 1;
}

size_t rp_utf8_repair(char *out, size_t out_size, const char *s, size_t len)
{
    size_t at = ascii_prefix(s, len < out_size ? len : out_size);
    size_t used = at;
    if (at > 0)
        memcpy(out, s, at);

    while (at < len) {
        int valid;
        size_t in = rp_utf8_next(s + at, len - at, &valid);
        size_t bytes = valid ? in : sizeof RP_UTF8_REPLACEMENT - 1;
        if (used + bytes > out_size)
            break;
        memcpy(out + used, valid ? s + at : RP_UTF8_REPLACEMENT, bytes);
        used += bytes;
        at += in;
    }
    return used;
}
