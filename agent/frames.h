/*
 * frames.h - from a frame's VALUE to a function id, and what keeps the VALUEs alive.
 *
 * A frame's VALUE may be freed and its address reused by another method within seconds, and naming a freed one aborts the VM
 * (VM-FACTS A5). So every known frame is kept alive: new ones in a small list that every GC marks ("fresh": not named yet), named
 * ones in chunks that promise write barriers, so that minor GCs pass them over. Both pin, since addresses are compared. The table is
 * bounded: when it has grown large, named frames that no stack used lately are let go.
 *
 * Ids are never reused. Ids below RP_FUNCTION_FIRST are ours.
 */
#ifndef RP_FRAMES_H
#define RP_FRAMES_H

#include <stdint.h>

#include "vm.h"

#define RP_FUNCTION_TRUNCATED 1u /* the root of a stack deeper than RP_MAX_DEPTH */
#define RP_FUNCTION_UNKNOWN   2u /* time for which no stack was taken */
#define RP_FUNCTION_FIRST     3u

/* Makes table and root objects. ctx: GVL held, under rb_protect; allocates by the VM. 0, or -1 without memory. */
int rp_frames_init(void);

/* The id of a frame; 0 when there is no room now. ctx: inside the gate; allocates: no. */
uint32_t rp_frames_intern(rp_value frame);

/* A frame that has no name yet; 0 when there is none. ctx: GVL held. */
uint32_t rp_frames_fresh(rp_value *frame);
/*
 * The oldest fresh frame has been named: it moves to the protected chunks. -1 without memory: it stays fresh.
 * ctx: job (GVL held, no GC hook), not inside the gate; allocates by the VM.
 */
int rp_frames_named(void);

/* Whether the table wants rp_frames_maintain. ctx: inside the gate. */
int rp_frames_crowded(void);
/* Grows the table or lets unused frames go; the sampler must forget its last stack afterwards. ctx: job, inside the gate. */
void rp_frames_maintain(void);

/* Forgets all frames: a new store knows no names. ctx: GVL held, in a fork's child. */
void rp_frames_reset(void);

#endif
