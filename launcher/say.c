/*
 * say.c - the launcher's lines on stderr; nothing else of it goes there.
 */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One line "rperf: ..." in one write, so that it does not mix with what the command writes. */
void rp_say(const char *fmt, ...)
{
    char line[1500] = "rperf: ";
    size_t n = strlen(line);
    va_list args;
    int len;

    va_start(args, fmt);
    len = vsnprintf(line + n, sizeof line - n - 1, fmt, args);
    va_end(args);
    if (len > 0)
        n += (size_t)len < sizeof line - n - 2 ? (size_t)len : sizeof line - n - 2;
    line[n++] = '\n';
    /* nowhere to complain when this fails */
    if (write(STDERR_FILENO, line, n) < 0)
        return;
}
