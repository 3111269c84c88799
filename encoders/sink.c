/*
 * sink.c - where an encoder writes: memory or a descriptor, plain or gzip, with a sticky error.
 *
 * Bytes are collected in `pending`; full blocks go through deflate (when gzip) to the target. After
 * the first failure everything is swallowed. gzip output depends on the input alone: zlib's default
 * header has no time and no name.
 */
#include "sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BLOCK_BYTES = 64 * 1024, GZIP_WINDOW_BITS = 15 + 16, GZIP_MEM_LEVEL = 8 };

struct rp_sink {
    int fd; /* -1: to buf */
    struct rp_buf *buf;
    int gzip;
    int failed;
    struct rp_error error;
    size_t n_pending;
    z_stream z;
    unsigned char pending[BLOCK_BYTES];
    unsigned char packed[BLOCK_BYTES];
};

/* Keeps the first failure (errnum 0: none from the system); later writes are swallowed. */
void rp_sink_fail(struct rp_sink *s, int errnum, const char *what)
{
    if (!s->failed) {
        s->failed = 1;
        rp_error_set(&s->error, errnum, "%s", what);
    }
}

static void write_fd(struct rp_sink *s, const unsigned char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(s->fd, data, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            rp_sink_fail(s, n < 0 ? errno : EIO, "cannot write");
            return;
        }
        data += n;
        size -= (size_t)n;
    }
}

static void emit(struct rp_sink *s, const unsigned char *data, size_t size)
{
    if (s->failed) {
        return;
    }
    if (s->fd >= 0) {
        write_fd(s, data, size);
        return;
    }
    rp_buf_add(s->buf, data, size);
    if (s->buf->oom) {
        rp_sink_fail(s, ENOMEM, "cannot hold the output");
    }
}

static void deflate_pending(struct rp_sink *s, int flush)
{
    int rc;

    s->z.next_in = s->pending;
    s->z.avail_in = (uInt)s->n_pending;
    do {
        s->z.next_out = s->packed;
        s->z.avail_out = sizeof(s->packed);
        rc = deflate(&s->z, flush);
        if (rc == Z_STREAM_ERROR) {
            rp_sink_fail(s, 0, "cannot compress the output");
            return;
        }
        emit(s, s->packed, sizeof(s->packed) - s->z.avail_out);
    } while (!s->failed && (s->z.avail_out == 0 || (flush == Z_FINISH && rc != Z_STREAM_END)));
}

static void drain(struct rp_sink *s, int flush)
{
    if (!s->failed) {
        if (s->gzip) {
            deflate_pending(s, flush);
        } else {
            emit(s, s->pending, s->n_pending);
        }
    }
    s->n_pending = 0;
}

static struct rp_sink *make(int fd, struct rp_buf *buf, int gzip)
{
    struct rp_sink *s = calloc(1, sizeof(*s));

    if (!s) {
        return NULL;
    }
    s->fd = fd;
    s->buf = buf;
    s->gzip = gzip;
    if (gzip && deflateInit2(&s->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS,
                             GZIP_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(s);
        return NULL;
    }
    return s;
}

/* A sink that writes to fd, which stays the caller's. NULL: out of memory. */
struct rp_sink *rp_sink_to_fd(int fd, int gzip)
{
    return make(fd, NULL, gzip);
}

/* A sink that appends to buf, which stays the caller's; complete only after rp_sink_finish. NULL:
 * out of memory. */
struct rp_sink *rp_sink_to_buf(struct rp_buf *buf, int gzip)
{
    return make(-1, buf, gzip);
}

/* Takes size bytes. Never fails here: the first failure is told by rp_sink_finish. */
void rp_sink_write(struct rp_sink *s, const void *data, size_t size)
{
    const char *from = data;

    while (size > 0 && !s->failed) {
        size_t room = sizeof(s->pending) - s->n_pending;
        size_t n = size < room ? size : room;
        memcpy(s->pending + s->n_pending, from, n);
        s->n_pending += n;
        from += n;
        size -= n;
        if (s->n_pending == sizeof(s->pending)) {
            drain(s, Z_NO_FLUSH);
        }
    }
}

/* Takes the text without its NUL. */
void rp_sink_puts(struct rp_sink *s, const char *text)
{
    rp_sink_write(s, text, strlen(text));
}

/* Takes what printf would print, of any length. */
void rp_sink_printf(struct rp_sink *s, const char *fmt, ...)
{
    char small[512];
    char *text = small;
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof(small), fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof(small)) {
        va_start(ap, fmt);
        n = vasprintf(&text, fmt, ap);
        va_end(ap);
    }
    if (n < 0) {
        rp_sink_fail(s, ENOMEM, "cannot format the output");
        return;
    }
    rp_sink_write(s, text, (size_t)n);
    if (text != small) {
        free(text);
    }
}

/* Flushes and frees the sink. 0, or -1 with the first failure in err (errnum as of write(2)). */
int rp_sink_finish(struct rp_sink *s, struct rp_error *err)
{
    drain(s, Z_FINISH);
    if (s->gzip) {
        deflateEnd(&s->z);
    }
    int rc = s->failed ? -1 : 0;
    if (rc != 0 && err) {
        *err = s->error;
    }
    free(s);
    return rc;
}
