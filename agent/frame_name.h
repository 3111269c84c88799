/*
 * frame_name.h - addresses taken out of names, or the profiles of two processes would not merge. Pure.
 */
#ifndef RP_FRAME_NAME_H
#define RP_FRAME_NAME_H

#include <stddef.h>

/*
 * Copies name to out (size bytes, always ends in NUL, cut when too long) without what looks like an object's address:
 * "#<Class:0x000078b1c2>#call" becomes "#<Class>#call". ctx: any.
 */
void rp_frame_name_clean(const char *name, char *out, size_t size);

#endif
