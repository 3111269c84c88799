/*
 * wire.h - reads the wire format of protocol buffers from bytes that nobody vouches for: every
 * length is checked, nothing is copied.
 */
#ifndef RP_WIRE_H
#define RP_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"

struct rp_wire_reader {
    const uint8_t *base; /* of the whole file, for offsets in messages */
    const uint8_t *at, *end;
};

struct rp_wire_field {
    uint32_t number;
    uint64_t value;             /* of a number */
    struct rp_wire_reader body; /* the bytes of a message, string or packed list; for a varint: its
                                   own bytes, so that it reads as a list of one */
};

/* The next field: 1, and f is filled; 0 at the end; -1 with err. */
int rp_wire_next(struct rp_wire_reader *r, struct rp_wire_field *f, struct rp_error *err);
/* The next number of a packed list: 1, 0 at the end, -1 with err. */
int rp_wire_number(struct rp_wire_reader *r, uint64_t *value, struct rp_error *err);

#endif
