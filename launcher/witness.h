/*
 * witness.h - tells whether a signal that we got was sent to our whole process group.
 *
 * The command is in our group, so a signal to the group (`kill -INT -PGID`, a supervisor that
 * signals each process of a service) reached it already, and passing it on would make it two. The
 * kernel does not say how a signal came. So a second process of ours, in the same group and with
 * all signals blocked, is asked whether it got the same one.
 */
#ifndef RP_WITNESS_H
#define RP_WITNESS_H

#include <sys/types.h>

struct rp_witness {
    pid_t pid; /* 0: there is none, and everything is passed on */
    int fd;
};

/* Starts it; all signals must be blocked. A failure leaves pid 0. */
void rp_witness_start(struct rp_witness *w);
/* 1 if the witness got signal_number as well since it was last asked about it. */
int rp_witness_saw(struct rp_witness *w, int signal_number);
void rp_witness_stop(struct rp_witness *w);

#endif
