/*
 * gunzip.h - unpacks a gzip file that nobody vouches for, within a limit.
 */
#ifndef RP_GUNZIP_H
#define RP_GUNZIP_H

#include <stddef.h>

#include "buf.h"
#include "error.h"

/* 1 if data begins like a gzip file. */
int rp_is_gzip(const void *data, size_t size);

/*
 * Appends the unpacked bytes of all members of data to out. -1: cut short, damaged, more than
 * max_bytes, or no memory; out then holds what came before (free it).
 */
int rp_gunzip(const void *data, size_t size, size_t max_bytes, struct rp_buf *out,
              struct rp_error *err);

#endif
