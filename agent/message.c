/*
 * message.c - see message.h.
 */
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int closed_at_start;

_Static_assert(sizeof(((struct rp_quiet *)0)->before) >= sizeof(sigset_t), "sigset_t");

void rp_message_init(void)
{
    closed_at_start = fcntl(STDERR_FILENO, F_GETFD) < 0;
}

int rp_message_possible(void)
{
    return !closed_at_start;
}

static void writing_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGPIPE);
    sigaddset(set, SIGXFSZ);
}

void rp_quiet_begin(struct rp_quiet *q)
{
    sigset_t ours, pending;
    writing_signals(&ours);
    sigpending(&pending);
    q->had_pipe = sigismember(&pending, SIGPIPE);
    q->had_fsz = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &ours, (sigset_t *)q->before);
}

void rp_quiet_end(struct rp_quiet *q)
{
    struct timespec none = {0, 0};
    sigset_t ours;
    sigemptyset(&ours);
    if (!q->had_pipe)
        sigaddset(&ours, SIGPIPE);
    if (!q->had_fsz)
        sigaddset(&ours, SIGXFSZ);
    while (sigtimedwait(&ours, NULL, &none) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, (sigset_t *)q->before, NULL);
}

void rp_message(const char *fmt, ...)
{
    char line[1500] = "rperf: ";
    size_t n = strlen(line);
    int saved = errno;
    struct rp_quiet quiet;
    va_list args;

    if (closed_at_start)
        return;
    va_start(args, fmt);
    int len = vsnprintf(line + n, sizeof(line) - n - 1, fmt, args);
    va_end(args);
    if (len > 0)
        n += (size_t)len < sizeof(line) - n - 2 ? (size_t)len : sizeof(line) - n - 2;
    line[n++] = '\n';
    rp_quiet_begin(&quiet);
    while (write(STDERR_FILENO, line, n) < 0 && errno == EINTR)
        ; /* any other failure: nowhere to complain */
    rp_quiet_end(&quiet);
    errno = saved;
}
