/*
 * strtab.h - interned byte strings: equal strings have equal ids, id 0 is "".
 *
 * Every string is kept with a NUL behind it; strings may hold NULs themselves (ask for the length).
 * Bytes are kept as they come: who writes a text format makes them valid UTF-8 first (utf8.h).
 */
#ifndef RP_STRTAB_H
#define RP_STRTAB_H

#include <stddef.h>
#include <stdint.h>

struct rp_strtab {
    char *bytes;
    size_t size, capacity;
    size_t *offsets; /* n + 1 of them */
    uint32_t n, cap_offsets;
    uint32_t *slots;
    uint32_t cap_slots;
};

int rp_strtab_init(struct rp_strtab *t); /* 0, or -1 out of memory */
void rp_strtab_free(struct rp_strtab *t);
uint32_t rp_strtab_intern(struct rp_strtab *t, const char *s,
                          size_t len); /* UINT32_MAX: out of memory */
uint32_t rp_strtab_find(const struct rp_strtab *t, const char *s,
                        size_t len); /* UINT32_MAX: not there */
const char *rp_strtab_get(const struct rp_strtab *t, uint32_t id, size_t *len);

#endif
