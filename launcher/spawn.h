/*
 * spawn.h - starts the command as if the shell had done it.
 */
#ifndef RP_SPAWN_H
#define RP_SPAWN_H

#include <signal.h>
#include <sys/types.h>

/* What the launcher changed of what it inherited, and the command must get back. */
struct rp_inherited {
    sigset_t mask;
    struct sigaction child_action;
};

/* Blocks all signals (they are waited for, not handled) and makes children leave a status.
 * inherited gets what was there before. */
void rp_signals_hold(struct rp_inherited *inherited);
/* Starts argv (searched in PATH) with environment envp. 0, or errno of what went wrong: then
 * nothing runs. */
int rp_spawn(char *const argv[], char *const envp[], const struct rp_inherited *inherited,
             pid_t *pid);
/* Exit status for a command that could not be executed, as in a shell. */
int rp_spawn_status(int errnum);

#endif
