/*
 * gc.h - GC events: what the collector of garbage took, marking and sweeping apart.
 */
#ifndef RP_GC_H
#define RP_GC_H

/* Installs the hooks. ctx: GVL held. */
void rp_gc_init(void);

#endif
