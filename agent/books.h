/*
 * books.h - the collector's bookkeeping: from the ring's entries and the threads' slots to the records of the store.
 * ctx: the collector's thread only.
 */
#ifndef RP_BOOKS_H
#define RP_BOOKS_H

#include <stdint.h>

#include "../encoders/store.h"
#include "ticker.h"

/* Begins a new store. */
void rp_books_open(struct rp_store_writer *store);
/* Takes all entries out of the ring, then settles threads that have ended. */
void rp_books_drain(void);
/* Writes what each thread does now, and the counters, for readers from outside. */
void rp_books_publish(uint64_t now_ns);
/* The end: every thread gets what is its own up to now_ns, and the store says that it is whole. */
void rp_books_close(uint64_t now_ns);
/* Ticks, for the counters. */
void rp_books_count_ticks(const struct rp_ticker *ticker);

#endif
