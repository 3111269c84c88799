/*
 * supervise.c - waits for the command, and is to the outside what the command is.
 *
 * There is no signal handler: all signals are blocked and taken one at a time. What a process sent
 * is passed on, unless it was sent to the whole group and so is there already; what the terminal
 * sent has reached the command by itself.
 */
#include "supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec ts;

    if (clock_gettime(clock, &ts))
        return 0;
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* CPU of one process alone; it may have ended but must not have been reaped (wait4's figure would
 * hold its children as well). */
static uint64_t cpu_of(pid_t pid)
{
    clockid_t clock;

    return clock_getcpuclockid(pid, &clock) ? 0 : clock_ns(clock);
}

/* Does a signal to ourselves with its default action. */
static void suffer(int signal_number)
{
    struct sigaction standard;
    sigset_t one;

    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    sigaction(signal_number, &standard, NULL); /* refused for STOP and KILL, which have no other */
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &one, NULL); /* here it happens */
    sigprocmask(SIG_BLOCK, &one, NULL);
}

/*
 * The command stopped: so do we, or the shell would go on waiting. A plain STOP means us only where
 * we hold the terminal: it may come from a program that continues the command alone, and nobody
 * would continue us.
 */
static void stop_too(int signal_number)
{
    if (signal_number == SIGSTOP && tcgetpgrp(STDIN_FILENO) != getpgrp())
        return;
    suffer(signal_number);
}

/* Takes the status of whatever ended or stopped. 1: the command has ended. */
static int reap(struct rp_child *child)
{
    siginfo_t info;

    for (;;) {
        int status;
        info.si_pid = 0;
        if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) || !info.si_pid)
            return 0;
        if (info.si_pid == child->pid) {
            child->ended_mono_ns = clock_ns(CLOCK_MONOTONIC);
            child->cpu_ns = cpu_of(child->pid);
        }
        if (waitpid(info.si_pid, &status, WUNTRACED | WNOHANG) != info.si_pid)
            return 0;
        if (info.si_pid != child->pid)
            continue;
        if (!WIFSTOPPED(status)) {
            child->status = status;
            return 1;
        }
        stop_too(WSTOPSIG(status));
    }
}

static void pass_on(const struct rp_child *child, const siginfo_t *info)
{
    if (info->si_code == SI_QUEUE)
        sigqueue(child->pid, info->si_signo, info->si_value);
    else
        kill(child->pid, info->si_signo);
}

/* Passes signals on, stops and continues with the child, and returns when it has ended. All signals
 * must be blocked. Reaps whatever else is our child (as process 1 that is every orphan). */
void rp_supervise(struct rp_child *child, struct rp_witness *witness)
{
    siginfo_t info;
    sigset_t all;

    sigfillset(&all);
    while (!reap(child)) {
        int from_process;
        if (sigwaitinfo(&all, &info) < 0)
            continue;
        from_process =
            info.si_code == SI_USER || info.si_code == SI_TKILL || info.si_code == SI_QUEUE;
        if (from_process && !rp_witness_saw(witness, info.si_signo))
            pass_on(child, &info);
    }
}

/* Ends this process as the child ended: same status, or same signal without a core of our own. */
void rp_end_like(const struct rp_child *child)
{
    if (WIFEXITED(child->status))
        exit(WEXITSTATUS(child->status));
    /* also stops a core that goes to a program, which RLIMIT_CORE would not */
    prctl(PR_SET_DUMPABLE, 0);
    if (getpid() != 1)
        suffer(WTERMSIG(child->status));
    exit(128 + WTERMSIG(child->status));
}
