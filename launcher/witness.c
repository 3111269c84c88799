/*
 * witness.c - the process in our group that says who else got a signal (see witness.h).
 *
 * Asked with one byte, it answers with the set of signals that were pending for it. It holds no
 * descriptor but its end of the socket, and dies with us.
 */
#include "witness.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The sender goes through the group one by one, and we may be first. */
#define SETTLE_NS 2000000
/* A witness that was stopped does not answer. */
#define ANSWER_MS 100

/* Takes all pending signals and returns them as bits. */
static uint64_t drain(void)
{
    struct timespec now = {0, 0};
    uint64_t seen = 0;
    sigset_t all;
    int n;

    sigfillset(&all);
    while ((n = sigtimedwait(&all, NULL, &now)) > 0)
        seen |= 1ull << (n - 1);
    return seen;
}

static void testify(int fd, pid_t parent)
{
    char question;

    prctl(PR_SET_NAME, "rperf-witness");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    if (fd != 0)
        dup2(fd, 0);
    close_range(1, ~0u, 0);
    while (read(0, &question, 1) == 1) {
        uint64_t seen = drain();
        if (write(0, &seen, sizeof seen) != (ssize_t)sizeof seen)
            break;
    }
    _exit(0);
}

/* Starts it; all signals must be blocked. A failure leaves pid 0. */
void rp_witness_start(struct rp_witness *w)
{
    pid_t self = getpid();
    int pair[2];

    w->pid = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return;
    w->pid = fork();
    if (w->pid == 0)
        testify(pair[1], self);
    close(pair[1]);
    w->fd = pair[0];
    if (w->pid < 0) {
        close(pair[0]);
        w->pid = 0;
    }
}

/* 1 if the witness got signal_number as well since it was last asked about it. */
int rp_witness_saw(struct rp_witness *w, int signal_number)
{
    struct timespec settle = {0, SETTLE_NS};
    struct pollfd answer = {w->fd, POLLIN, 0};
    uint64_t seen;

    if (!w->pid)
        return 0;
    nanosleep(&settle, NULL);
    if (send(w->fd, "?", 1, MSG_NOSIGNAL) != 1 || poll(&answer, 1, ANSWER_MS) != 1 ||
        read(w->fd, &seen, sizeof seen) != (ssize_t)sizeof seen) {
        rp_witness_stop(w);
        return 0;
    }
    return (seen >> (signal_number - 1)) & 1;
}

void rp_witness_stop(struct rp_witness *w)
{
    if (!w->pid)
        return;
    kill(w->pid, SIGKILL);
    waitpid(w->pid, NULL, 0); /* fails when supervise has reaped it already */
    close(w->fd);
    w->pid = 0;
}
