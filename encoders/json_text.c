/*
 * json_text.c - strings in JSON; see json_text.h.
 */
#include "json_text.h"

#include <string.h>

#include "utf8.h"

/* How many bytes at the start of s stand for themselves. */
static size_t plain_prefix(const char *s, size_t len)
{
    size_t i = 0;

    while (i < len && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] != '<' && s[i] < 0x7F) {
        i++;
    }
    return i;
}

/* Writes one character of n bytes that needs a closer look. */
static void write_character(struct rp_sink *out, const char *s, size_t n, int valid)
{
    if (!valid) {
        rp_sink_puts(out, RP_UTF8_REPLACEMENT);
    } else if (n == 1 && (*s == '"' || *s == '\\')) {
        rp_sink_printf(out, "\\%c", *s);
    } else if (n == 1) {
        rp_sink_printf(out, "\\u%04x", (unsigned)*s);
    } else if (n == 3 && (memcmp(s, "\xE2\x80\xA8", 3) == 0 || memcmp(s, "\xE2\x80\xA9", 3) == 0)) {
        rp_sink_puts(out, s[2] == '\xA8' ? "\\u2028" : "\\u2029");
    } else {
        rp_sink_write(out, s, n);
    }
}

void rp_json_text(struct rp_sink *out, const char *s, size_t len)
{
    rp_sink_write(out, "\"", 1);
    while (len > 0) {
        size_t n = plain_prefix(s, len);
        if (n > 0) {
            rp_sink_write(out, s, n);
        } else {
            int valid;
            n = rp_utf8_next(s, len, &valid);
            write_character(out, s, n, valid);
        }
        s += n;
        len -= n;
    }
    rp_sink_write(out, "\"", 1);
}

void rp_json_string(struct rp_sink *out, const struct rp_profile *p, uint32_t id)
{
    size_t len;
    const char *s = rp_profile_str(p, id, &len);

    rp_json_text(out, s, len);
}
