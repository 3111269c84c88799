/*
 * snapshot.h - a profile of now while the program runs on, asked for by a signal.
 */
#ifndef RP_SNAPSHOT_H
#define RP_SNAPSHOT_H

/*
 * Puts our handler behind Ruby's own for signal (0: none), unless the signal is ignored. If the application installs one itself, it
 * wins. ctx: GVL held, at start, before any code of the application.
 */
void rp_snapshot_init(int signal);
/* Waits for a snapshot that is being written. ctx: end proc. */
void rp_snapshot_finish(void);
/* ctx: fork child. */
void rp_snapshot_forget(void);
/* 1 if the application has taken the signal. */
int rp_snapshot_signal_taken(void);

#endif
