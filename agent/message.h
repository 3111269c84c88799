/*
 * message.h - the agent's lines on stderr, each beginning with "rperf: ", in one write.
 */
#ifndef RP_MESSAGE_H
#define RP_MESSAGE_H

/*
 * Notes whether stderr was open when the process began: if not, descriptor 2 is some file of the program's and nothing is ever
 * written to it. ctx: constructor.
 */
void rp_message_init(void);
/* 1 if messages are shown. */
int rp_message_possible(void);
/* ctx: any thread, not a signal handler. A full disk or a closed pipe neither stops nor signals the program. */
void rp_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Keeps signals that writing can raise from the program, around what we write; rp_quiet_end takes away what came. */
struct rp_quiet {
    unsigned long before[16]; /* sigset_t */
    int had_pipe, had_fsz;
};
void rp_quiet_begin(struct rp_quiet *q);
void rp_quiet_end(struct rp_quiet *q);

#endif
