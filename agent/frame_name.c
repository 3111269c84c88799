/*
 * frame_name.c - see frame_name.h.
 */
#include "frame_name.h"

#include <string.h>

#define LEAST_DIGITS 6 /* shorter ones are numbers that somebody wrote */

/* Length of ":0x1234abcd" at s, 0 when there is none. */
static size_t address_at(const char *s)
{
    if (strncmp(s, ":0x", 3) != 0)
        return 0;
    size_t digits = strspn(s + 3, "0123456789abcdef");
    return digits >= LEAST_DIGITS ? 3 + digits : 0;
}

void rp_frame_name_clean(const char *name, char *out, size_t size)
{
    size_t n = 0;
    while (*name && n + 1 < size) {
        size_t skip = address_at(name);
        if (skip)
            name += skip;
        else
            out[n++] = *name++;
    }
    out[n] = '\0';
}
