/*
 * job.h - the safepoint job: what a tick makes the VM run.
 */
#ifndef RP_JOB_H
#define RP_JOB_H

#include "vm.h"

/* Registers the job with the VM. -1: refused. ctx: GVL held, at start. */
int rp_job_init(void);
/* Asks for a sample at the next safepoint of the running thread. ctx: any. */
void rp_job_tick(void);
/* Asks for the job alone (start in a fork's child). ctx: any thread, fork child. */
void rp_job_trigger(void);
/* Asks for a first stack of thread, so that one that ends before a tick is known as well. ctx: the thread itself, GVL held. */
void rp_job_ask_first_stack(rp_value thread);

#endif
