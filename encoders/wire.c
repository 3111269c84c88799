/*
 * wire.c - reads the wire format of protocol buffers; see wire.h.
 */
#include "wire.h"

#include <string.h>

#include "pprof_fields.h"

enum { VARINT_BITS = 7, LAST_SHIFT = 63 };

static int damaged(const struct rp_wire_reader *r, const char *what, struct rp_error *err)
{
    return rp_error_set(err, 0, "byte %zu: %s", (size_t)(r->at - r->base), what);
}

static int read_varint(struct rp_wire_reader *r, uint64_t *value, struct rp_error *err)
{
    const uint8_t *at = r->at;

    *value = 0;
    for (unsigned shift = 0; shift <= LAST_SHIFT; shift += VARINT_BITS) {
        if (at == r->end) {
            return damaged(r, "number cut short", err);
        }
        uint8_t byte = *at++;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            r->at = at;
            return 0;
        }
    }
    return damaged(r, "number too long", err);
}

static int read_body(struct rp_wire_reader *r, uint64_t size, struct rp_wire_field *f,
                     struct rp_error *err)
{
    if (size > (uint64_t)(r->end - r->at)) {
        return damaged(r, "field goes beyond the end", err);
    }
    f->body = (struct rp_wire_reader){r->base, r->at, r->at + size};
    r->at += size;
    return 0;
}

static int read_value(struct rp_wire_reader *r, unsigned wire, struct rp_wire_field *f,
                      struct rp_error *err)
{
    const uint8_t *from = r->at;
    uint64_t size;

    f->value = 0;
    switch (wire) {
    case RP_WIRE_VARINT:
        if (read_varint(r, &f->value, err) != 0) {
            return -1;
        }
        f->body = (struct rp_wire_reader){r->base, from, r->at};
        return 0;
    case RP_WIRE_BYTES:
        return read_varint(r, &size, err) != 0 ? -1 : read_body(r, size, f, err);
    case RP_WIRE_FIXED64:
        return read_body(r, sizeof(uint64_t), f, err);
    case RP_WIRE_FIXED32:
        return read_body(r, sizeof(uint32_t), f, err);
    default:
        return damaged(r, "unknown wire type", err);
    }
}

int rp_wire_next(struct rp_wire_reader *r, struct rp_wire_field *f, struct rp_error *err)
{
    uint64_t key;

    if (r->at == r->end) {
        return 0;
    }
    if (read_varint(r, &key, err) != 0) {
        return -1;
    }
    if (key >> 3 == 0 || key >> 3 > UINT32_MAX >> 3) {
        return damaged(r, "no such field number", err);
    }
    f->number = (uint32_t)(key >> 3);
    return read_value(r, key & 7, f, err) != 0 ? -1 : 1;
}

int rp_wire_number(struct rp_wire_reader *r, uint64_t *value, struct rp_error *err)
{
    if (r->at == r->end) {
        return 0;
    }
    return read_varint(r, value, err) != 0 ? -1 : 1;
}
