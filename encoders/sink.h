/*
 * sink.h - where an encoder writes: memory or a descriptor, plain or gzip, with a sticky error.
 *
 * An encoder writes and never asks; who made the sink asks once, in rp_sink_finish. Writes are
 * buffered and resumed after EINTR and short writes.
 */
#ifndef RP_SINK_H
#define RP_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "error.h"

struct rp_sink;

/* NULL: out of memory. The fd is neither owned nor closed. gzip: the output is one gzip member. */
struct rp_sink *rp_sink_to_fd(int fd, int gzip);
struct rp_sink *rp_sink_to_buf(struct rp_buf *buf, int gzip);

void rp_sink_write(struct rp_sink *s, const void *data, size_t size);
void rp_sink_puts(struct rp_sink *s, const char *text);
void rp_sink_printf(struct rp_sink *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What an encoder calls that cannot go on (no memory): the sink fails as if a write had. */
void rp_sink_fail(struct rp_sink *s, int errnum, const char *what);

/* Flushes and frees the sink. 0, or -1 with the first failure (err->errnum as of write(2)). */
int rp_sink_finish(struct rp_sink *s, struct rp_error *err);

#endif
