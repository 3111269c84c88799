/*
 * store_map.h - the memory of a store: mapped once at its full size, reserved piece by piece.
 *
 * Private to the store's writer. A piece is reserved before it is touched, since a full tmpfs
 * answers a touch with SIGBUS and a growing file must stop at the process's file size limit. A
 * fork's child does not inherit the mapping.
 */
#ifndef RP_STORE_MAP_H
#define RP_STORE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct rp_store_map {
    char *base;
    size_t size;     /* mapped: the most that the store can become */
    size_t reserved; /* may be touched */
    size_t piece;    /* to reserve next; grows */
    int anonymous;
    int fd; /* of our own, where the kernel (before 5.14) cannot reserve by the mapping; else -1 */
    uint64_t device, inode; /* what fd must still be */
};

/*
 * Maps fd (-1: anonymous memory) with room for max_bytes, or for less where a limit of the process
 * asks for it, and reserves the first piece. 0, or -1 with err filled and nothing left behind.
 */
int rp_store_map_open(struct rp_store_map *m, int fd, uint64_t max_bytes, struct rp_error *err);
void rp_store_map_close(struct rp_store_map *m);

/* Makes the first `bytes` touchable. 0, or an errno: ENOSPC (no room on the device), EFBIG (beyond
 * size), ... Reserves more than it is asked for, so that it is called seldom. */
int rp_store_map_reserve(struct rp_store_map *m, size_t bytes);

/* Memory of zeros for the writer's own tables that a fork's child does not inherit; NULL: none. */
void *rp_store_private_alloc(size_t bytes);
void rp_store_private_free(void *memory, size_t bytes);

#endif
