/*
 * buf.h - a growable byte buffer with a sticky out-of-memory flag. Zero-initialised is empty.
 */
#ifndef RP_BUF_H
#define RP_BUF_H

#include <stddef.h>
#include <stdint.h>

struct rp_buf {
    char *data;
    size_t size, capacity;
    int oom;
};

void rp_buf_add(struct rp_buf *b, const void *data, size_t size);
void rp_buf_add_byte(struct rp_buf *b, uint8_t byte);
void rp_buf_free(struct rp_buf *b);

#endif
