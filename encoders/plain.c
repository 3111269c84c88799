/*
 * plain.c - a name as one harmless line of text; see plain.h.
 */
#include "plain.h"

#include <string.h>

#include "utf8.h"

#define UNKNOWN "[unknown]"

/* 1 if the valid character of n bytes would break a line or steer a terminal. */
static int is_control(const unsigned char *u, size_t n)
{
    if (n == 1) {
        return u[0] < 0x20 || u[0] == 0x7F;
    }
    if (n == 2) {
        return u[0] == 0xC2 && u[1] < 0xA0; /* C1 */
    }
    return n == 3 && u[0] == 0xE2 && u[1] == 0x80 && (u[2] == 0xA8 || u[2] == 0xA9);
}

void rp_plain_add(struct rp_buf *out, const char *s, size_t len, char semicolon)
{
    size_t start = out->size, end = out->size; /* end: behind the last non-blank */

    while (len > 0) {
        int valid;
        size_t n = rp_utf8_next(s, len, &valid);
        if (!valid) {
            rp_buf_add(out, RP_UTF8_REPLACEMENT, strlen(RP_UTF8_REPLACEMENT));
            end = out->size;
        } else if (*s == ' ' || is_control((const unsigned char *)s, n)) {
            if (end > start) {
                rp_buf_add_byte(out, ' ');
            }
        } else {
            rp_buf_add(out, *s == ';' ? &semicolon : s, n);
            end = out->size;
        }
        s += n;
        len -= n;
    }
    if (!out->oom) {
        out->size = end;
    }
    if (end == start) {
        rp_buf_add(out, UNKNOWN, strlen(UNKNOWN));
    }
}
