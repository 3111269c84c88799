/*
 * store.h - the store: one mapped file per process image, in which that process's collector keeps
 * the profile, and from which any process reads it at any moment.
 *
 * Layout (little endian, 8-byte aligned, version in the magic):
 *
 *     struct rp_store_header (one page) | log of records
 *
 * The log is append-only. A record is { u32 head = type << 24 | size in 8-byte units; payload }
 * (store_format.h). What the writer returns as the id of a node, a label set or a thread is where
 * its record lies in the file, in units of 8 bytes; 0 is none. Ids are opaque, not dense. A record
 * refers only to records before it (function records may come after the nodes that use the id:
 * names are found later). The writer completes a record, then moves header.committed forward by a
 * release-store; a reader loads it with acquire and sees only whole records. What changes in place
 * afterwards are aligned 64-bit words, loaded and stored atomically: the three counters of a
 * COUNTER record and the state words of a THREAD record.
 *
 * The writer belongs to the collector thread (or a test): one thread, no locks, no signals, never
 * touches the VM. The file has its full length from the start (sparse) and is reserved piece by
 * piece before it is touched (a full tmpfs answers a touch with SIGBUS). The writer's own tables
 * take at most half of max_bytes besides.
 */
#ifndef RP_STORE_H
#define RP_STORE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "profile.h"

#define RP_STORE_MAGIC        "RPERFST1"
#define RP_STORE_HEADER_BYTES 4096u
#define RP_DOC_URL            "https://github.com/ko1/rperf"

/* What a thread was doing for the time of a sample. */
enum rp_state {
    RP_STATE_RUNNING = 0,
    RP_STATE_GVL_BLOCKED, /* from SUSPENDED to READY */
    RP_STATE_GVL_WAIT,    /* from READY to RESUMED */
    RP_STATE_GC_MARK,
    RP_STATE_GC_SWEEP,
    RP_STATE_PROCESS_START, /* CPU of the process before the VM was up */
    RP_STATE_VM_SHUTDOWN,   /* CPU of the process after the end proc */
    RP_STATE_N,
    RP_STATE_NONE = 255, /* thread record only: the thread is over */
};

enum rp_store_end {
    RP_END_RUNNING = 0, /* never finished: alive, or killed */
    RP_END_NORMAL,      /* the end proc ran: everything is accounted */
};

struct rp_store_header {
    char magic[8];
    uint32_t header_bytes;
    uint32_t byte_order;        /* 0x01020304 */
    _Atomic uint64_t committed; /* bytes of the log that are whole */

    /* fixed when the store is made */
    int32_t pid, ppid;
    uint64_t pid_start_ticks; /* field 22 of /proc/PID/stat, tells a reused pid */
    uint64_t start_real_ns;   /* CLOCK_REALTIME */
    uint64_t start_mono_ns;   /* CLOCK_MONOTONIC at the same moment */
    uint64_t start_cpu_ns;    /* CLOCK_PROCESS_CPUTIME_ID at the start: shown as [process start] */
    uint32_t mode;            /* 0 cpu, 1 wall */
    uint32_t frequency_hz;
    uint32_t aggregate; /* 0: one record a sample */
    uint32_t lines;     /* 0: --no-lines */
    uint64_t max_bytes;

    /* moved while it runs; relaxed */
    _Atomic uint32_t end; /* enum rp_store_end */
    _Atomic uint32_t reserved0;
    _Atomic uint64_t end_mono_ns;     /* of the end proc */
    _Atomic uint64_t end_cpu_ns;      /* process CPU at the end proc */
    _Atomic uint64_t exit_cpu_ns;     /* process CPU in the libc destructor, 0: it did not run */
    _Atomic uint64_t updated_mono_ns; /* last time the collector wrote */
    _Atomic uint64_t own_cpu_ns;      /* CPU of our own threads */
    _Atomic uint64_t ticks, late_ticks, throttled_ticks;
    _Atomic uint64_t jobs;             /* safepoint jobs that ran for a tick */
    _Atomic uint64_t stacks;           /* stacks taken, all kinds */
    _Atomic uint64_t sampling_time_ns; /* spent taking them */
    _Atomic uint64_t
        ring_full; /* samples whose weight went to the thread's next one: the ring was full */
    _Atomic uint64_t contended; /* likewise: another Ractor was sampling */
    _Atomic uint64_t
        carried_ns; /* of threads that ended before their first sample: given to later ends */
    _Atomic uint64_t unsampled_ns; /* weight that found no stack at all: shown as [unknown] */
    _Atomic uint64_t truncated;    /* stacks folded into an ancestor: no room */
    _Atomic uint64_t unnamed;      /* functions the end came too early for */
    _Atomic uint64_t threads_seen;
    _Atomic uint64_t gc_minor, gc_major;
    _Atomic uint64_t log_bytes_lost; /* wanted beyond max_bytes */
};

/* ---- writer ---- */

struct rp_store_config {
    int fd; /* empty file to map (the caller may close it after create), or -1: anonymous memory,
               for this process only */
    uint64_t max_bytes; /* at least 64 KB; a limit of the process may make it less */
    uint32_t mode, frequency_hz, aggregate, lines;
    int32_t pid, ppid;
    uint64_t pid_start_ticks, start_real_ns, start_mono_ns, start_cpu_ns;
};

struct rp_store_writer; /* opaque; lives in memory that a fork's child does not inherit */

/* Maps and heads the store. NULL with err filled: no room (err->errnum ENOSPC, EFBIG, ...), no
 * address space. */
struct rp_store_writer *rp_store_create(const struct rp_store_config *config, struct rp_error *err);
/* Unmaps and frees everything (the file stays). */
void rp_store_close(struct rp_store_writer *w);
/* For any thread of this process; gone in a fork's child. The writer itself moves committed,
 * truncated and log_bytes_lost, its owner all else. */
struct rp_store_header *rp_store_writer_header(struct rp_store_writer *w);
/* Bytes that the header's memory is long, for an rp_store_read of it in this process. Any thread.
 */
size_t rp_store_writer_bytes(const struct rp_store_writer *w);

/* Key/value facts for the comments and reports: "ruby", "command", "warning", ... A key may come
 * again: all values are kept. */
void rp_store_meta(struct rp_store_writer *w, const char *key, const char *value, size_t value_len);

/* The name of a function id that the agent gave (ids are dense from 1, max 2^24). Strings are made
 * valid UTF-8 here. */
void rp_store_function(struct rp_store_writer *w, uint32_t id, const char *name, size_t name_len,
                       const char *file, size_t file_len, int32_t start_line);

/*
 * The child of node parent (0: the root) for (function, line). Out of room: returns
 * RP_STORE_NO_NODE, and the caller uses the deepest node it has, with truncated = 1 in
 * rp_store_add.
 */
#define RP_STORE_NO_NODE UINT32_MAX
uint32_t rp_store_node(struct rp_store_writer *w, uint32_t parent, uint32_t function, int32_t line);

/* n pairs of key, value (NUL-terminated) -> id of the set; equal sets, in any order of keys, give
 * equal ids. 0: empty, or no room. */
struct rp_store_label {
    const char *key, *value;
};
uint32_t rp_store_label_set(struct rp_store_writer *w, const struct rp_store_label *labels,
                            uint32_t n);

/* A new thread; returns its id for the calls below (0: no room, such weights go to one overflow
 * thread). seq is what is shown. */
uint32_t rp_store_thread(struct rp_store_writer *w, uint32_t seq, uint64_t born_mono_ns);
void rp_store_thread_name(struct rp_store_writer *w, uint32_t thread, const char *name,
                          size_t len); /* the last one counts */
/*
 * What the thread is doing now, so that a reader can account for a sleeper up to its own "now": in
 * state since since_mono_ns, with owed_ns not yet given to a stack, on stack node (0: unknown),
 * waiting under label_set. RP_STATE_NONE: it is over. Tell the new state before the weights of the
 * time that the old one covers, else a reader in between would count that time twice.
 */
void rp_store_thread_state(struct rp_store_writer *w, uint32_t thread, enum rp_state state,
                           uint64_t since_mono_ns, uint64_t owed_ns, uint32_t node,
                           uint32_t label_set);

/* Adds one weight. truncated: the stack went on beyond node. Never fails: without room the stack is
 * folded into an ancestor that has a counter, into the thread, at last into a counter of the state
 * that is there from the beginning; header.truncated counts what was folded. */
void rp_store_add(struct rp_store_writer *w, uint32_t node, int truncated, uint32_t thread,
                  uint32_t label_set, enum rp_state state, uint64_t count, uint64_t cpu_ns,
                  uint64_t wall_ns);

/* ---- reader ---- */

struct rp_store_read_options {
    uint64_t until_mono_ns; /* sleepers are accounted up to here; 0: up to updated_mono_ns of the
                               store */
    uint64_t exit_cpu_ns; /* process CPU at its very end as the caller knows it (wait4); 0: what the
                             store says */
    int several; /* p is to hold more stores than this one: what the comments say of one process
                    begins with "process PID: " */
};

/*
 * Appends the store to profile p, which may be fresh (types are then set: samples/count,
 * cpu/nanoseconds and in wall mode wall/nanoseconds last) or hold earlier stores of the same mode.
 * data: the whole file, 8-byte aligned, a copy or live memory; untrusted, so every offset and id is
 * checked. options may be NULL: all 0. 0; or -1 with err naming the offset and what is wrong (the
 * caller adds the file's name). p is then unchanged or partly filled: drop it.
 *
 * Samples get the labels thread, thread_seq (number), %pid (string), %GVL, %GC and the leaf frames
 * [GVL blocked], [GVL wait], [GC marking], [GC sweeping] (file "<GVL>" or "<GC>"), [process start],
 * [VM shutdown] (file "<process>"), [truncated]; [unknown] is no stack at all ("<rperf>"). In cpu
 * mode GVL states have no frame and label: their CPU (burnt with the GVL released) belongs to the
 * stack itself. Comments: version, mode, frequency (once), then of each process the meta facts,
 * ticks, samples, sampling time, anything dropped or degraded.
 */
int rp_store_read(const void *data, size_t size, const struct rp_store_read_options *options,
                  struct rp_profile *p, struct rp_error *err);

/*
 * Copies what a store file holds into memory of malloc (*size bytes, for rp_store_read; the caller
 * frees): the file is much longer than what is written of it. 0; or -1 with err, also when it is no
 * store of ours. A cut file is copied as it is: rp_store_read says where it ends. For a store that
 * is still written a mapping is better: its state words are read in order.
 */
int rp_store_load(int fd, void **data, size_t *size, struct rp_error *err);

/* Header of a store for a look without reading it all; -1 when it is no store of ours. */
int rp_store_peek(const void *data, size_t size, const struct rp_store_header **header,
                  struct rp_error *err);

#endif
