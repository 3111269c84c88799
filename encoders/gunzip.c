/*
 * gunzip.c - unpacks gzip within a limit; see gunzip.h.
 */
#include "gunzip.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK_BYTES = 64 * 1024, GZIP_WINDOW_BITS = 15 + 16 };

int rp_is_gzip(const void *data, size_t size)
{
    return size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0;
}

/* Hands zlib the next piece of the input (its counter is 32 bits). */
static void feed(z_stream *z, const uint8_t **at, size_t *left)
{
    if (z->avail_in == 0 && *left > 0) {
        uInt n = *left > INT_MAX ? INT_MAX : (uInt)*left;
        z->next_in = (Bytef *)*at;
        z->avail_in = n;
        *at += n;
        *left -= n;
    }
}

/* One inflate call; its status, or Z_BUF_ERROR when the input is at its end too early. */
static int step(z_stream *z, struct rp_buf *out)
{
    uint8_t block[BLOCK_BYTES];

    z->next_out = block;
    z->avail_out = sizeof(block);
    int rc = inflate(z, Z_NO_FLUSH);
    rp_buf_add(out, block, sizeof(block) - z->avail_out);
    return rc;
}

static int failure(int rc, const struct rp_buf *out, size_t start, size_t max_bytes,
                   struct rp_error *err)
{
    if (out->size - start > max_bytes) {
        return rp_error_set(err, 0, "unpacks to more than %zu bytes", max_bytes);
    }
    if (out->oom || rc == Z_MEM_ERROR) {
        return rp_error_set(err, ENOMEM, "cannot unpack");
    }
    return rp_error_set(err, 0, "gzip data is %s after %zu unpacked bytes",
                        rc == Z_BUF_ERROR ? "cut short" : "damaged", out->size - start);
}

int rp_gunzip(const void *data, size_t size, size_t max_bytes, struct rp_buf *out,
              struct rp_error *err)
{
    const uint8_t *at = data;
    size_t left = size, start = out->size;
    z_stream z = {0};
    int rc = inflateInit2(&z, GZIP_WINDOW_BITS);

    if (rc != Z_OK) {
        return rp_error_set(err, ENOMEM, "cannot unpack");
    }
    for (;;) {
        feed(&z, &at, &left);
        rc = step(&z, out);
        if ((rc != Z_OK && rc != Z_STREAM_END) || out->oom || out->size - start > max_bytes) {
            break;
        }
        if (rc == Z_STREAM_END) {
            feed(&z, &at, &left);
            if (z.avail_in == 0) {
                break;
            }
            inflateReset(&z);
        }
    }
    int good = rc == Z_STREAM_END && !out->oom && out->size - start <= max_bytes;
    inflateEnd(&z);
    return good ? 0 : failure(rc, out, start, max_bytes, err);
}
