/*
 * buf.c - a growable byte buffer with a sticky out-of-memory flag.
 *
 * Used wherever the size of an output is not known beforehand. Never writes to a descriptor.
 */
#include "buf.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

static int grow(struct rp_buf *b, size_t more)
{
    size_t capacity = b->capacity ? b->capacity : FIRST_CAPACITY;

    if (more > SIZE_MAX / 2 - b->size) {
        return -1;
    }
    while (capacity < b->size + more) {
        capacity *= 2;
    }
    char *data = realloc(b->data, capacity);
    if (!data) {
        return -1;
    }
    b->data = data;
    b->capacity = capacity;
    return 0;
}

/* Appends size bytes. Out of memory: sets oom, and from then on nothing is added. */
void rp_buf_add(struct rp_buf *b, const void *data, size_t size)
{
    if (b->oom || size == 0) {
        return;
    }
    if (size > b->capacity - b->size && grow(b, size) != 0) {
        b->oom = 1;
        return;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

/* Appends one byte; otherwise as rp_buf_add. */
void rp_buf_add_byte(struct rp_buf *b, uint8_t byte)
{
    rp_buf_add(b, &byte, 1);
}

/* Frees the bytes and makes the buffer empty and usable again. */
void rp_buf_free(struct rp_buf *b)
{
    free(b->data);
    *b = (struct rp_buf){0};
}
