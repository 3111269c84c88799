/*
 * spawn.c - starts the command with the signals, descriptors and process group that a shell would
 * have given it.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Blocks all signals (they are waited for, not handled) and makes children leave a status.
 * inherited gets what was there before. */
void rp_signals_hold(struct rp_inherited *inherited)
{
    struct sigaction standard;
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &inherited->mask);
    /* with SIGCHLD ignored the kernel would throw the status away */
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &standard, &inherited->child_action);
}

/* Starts argv (searched in PATH) with environment envp. 0, or errno of what went wrong: then
 * nothing runs. The pipe closes itself at a successful exec. */
int rp_spawn(char *const argv[], char *const envp[], const struct rp_inherited *inherited,
             pid_t *pid)
{
    int report[2], errnum = 0;
    ssize_t n;

    if (pipe2(report, O_CLOEXEC))
        return errno;
    *pid = fork();
    if (*pid == 0) {
        sigaction(SIGCHLD, &inherited->child_action, NULL);
        sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
        execvpe(argv[0], argv, envp);
        errnum = errno;
        n = write(report[1], &errnum, sizeof errnum);
        _exit(n < 0 ? 126 : 127);
    }
    if (*pid < 0)
        errnum = errno;
    close(report[1]);
    if (*pid > 0) {
        n = read(report[0], &errnum, sizeof errnum);
        if (n != (ssize_t)sizeof errnum)
            errnum = 0;
        if (errnum)
            waitpid(*pid, NULL, 0);
    }
    close(report[0]);
    return errnum;
}

/* Exit status for a command that could not be executed, as in a shell. */
int rp_spawn_status(int errnum)
{
    return errnum == ENOENT || errnum == ENOTDIR ? 127 : 126;
}
