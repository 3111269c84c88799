/*
 * say.h - the launcher's lines on stderr.
 */
#ifndef RP_SAY_H
#define RP_SAY_H

/* One line "rperf: ..." in one write, so that it does not mix with what the command writes. */
void rp_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
