/*
 * current.h - the slot of the Ruby thread that runs here.
 */
#ifndef RP_CURRENT_H
#define RP_CURRENT_H

#include "threads.h"
#include "vm.h"

/* Where the VM can keep a pointer per thread (3.3 on) it does, else a native thread-local word. ctx: GVL held, at start; may raise. */
void rp_current_init(void);

/* The slot of thread (a Ruby thread); NULL when it has none yet. ctx: GVL events and GC hooks. */
struct rp_thread *rp_slot_of(rp_value thread);
void rp_slot_set(rp_value thread, struct rp_thread *slot);

/*
 * The slot of the current thread, made now (running since now_ns) when there is none: then the hooks came too late for its birth.
 * NULL: too many threads. ctx: job, GVL event of the thread itself, GC hook.
 */
struct rp_thread *rp_slot_here(rp_value thread, uint64_t now_ns);

#endif
