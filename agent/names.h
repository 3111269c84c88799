/*
 * names.h - turns new frames and threads into strings, once, a few at a time.
 */
#ifndef RP_NAMES_H
#define RP_NAMES_H

#include <stdint.h>

#include "threads.h"

/* Prepares what naming calls. ctx: GVL held, under rb_protect. */
void rp_names_init(void);
/*
 * Names fresh frames until there is none, or budget_ns are over (0: no bound). 1 when some are left.
 * ctx: job or end proc (GVL held), not inside the gate; allocates by the VM, may start a GC; catches what is raised.
 */
int rp_names_run(uint64_t budget_ns);
/* Looks at the thread's name now and then (it may be given late) and sends it when it is new. ctx: as above, t is the current thread. */
void rp_names_thread(struct rp_thread *t);

#endif
