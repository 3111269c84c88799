/*
 * gvl.h - thread events: intervals in which a thread was blocked or waited for the GVL.
 */
#ifndef RP_GVL_H
#define RP_GVL_H

#include "threads.h"

/* Installs the hooks (once per process; they survive fork). wall: waits are shown. ctx: GVL held. */
void rp_gvl_init(int wall);

#endif
