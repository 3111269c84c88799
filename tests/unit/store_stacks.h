/*
 * store_stacks.h - stacks without end for a store, and what must hold of them in any profile that is read from it.
 */
#ifndef STORE_STACKS_H
#define STORE_STACKS_H

#include <fcntl.h>
#include <sys/stat.h>

#include "store_helper.h"

#if defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* A sample on a stack of its own, three frames deep; CPU is 3 times, wall time 5 times the count.
 */
static inline void add_new_stack(struct rp_store_writer *w, uint32_t i, uint32_t thread)
{
    uint32_t node = 0;
    int truncated = 0;
    for (uint32_t depth = 0; depth < 3; depth++) {
        uint32_t next = rp_store_node(w, node, 1 + i % 1000, (int32_t)(depth == 2 ? i : depth));
        if (next == RP_STORE_NO_NODE) {
            truncated = 1;
            break;
        }
        node = next;
    }
    rp_store_add(w, node, truncated, thread, 0, RP_STATE_RUNNING, 1, 3, 5);
}

/* Names a function a while after it was first seen. */
static inline void name_function(struct rp_store_writer *w, uint32_t i)
{
    char name[32];
    if (i >= 100 && i < 1100) {
        size_t len = (size_t)snprintf(name, sizeof(name), "f%u", i - 99);
        rp_store_function(w, i - 99, name, len, "", 0, 0);
    }
}

static inline void check_totals(struct rp_store_writer *w, int64_t n)
{
    struct rp_profile p;
    read_writer(w, NULL, &p);
    ck_assert_int_eq(total(&p, 0), n);
    ck_assert_int_eq(total(&p, 1), 3 * n);
    ck_assert_int_eq(total(&p, 2), 5 * n);
    rp_profile_free(&p);
}

static inline void finish(struct rp_store_writer *w)
{
    atomic_store(&rp_store_writer_header(w)->end, RP_END_NORMAL);
}

/* The line of a stack, one frame deep, that holds CPU which a writer measured. */
enum { CLOCK_LINE = -7 };

/* A sample of add_new_stack: three frames, the leaf's line telling the function's name if it has
 * one yet, weights in proportion up to one that is just being added. */
static inline void check_sample(const struct rp_profile *p, uint32_t i)
{
    const int64_t *v = p->values + 3 * (size_t)i;
    const struct rp_node *leaf = &p->nodes[p->samples[i].node];
    const struct rp_node *middle = &p->nodes[leaf->parent], *root = &p->nodes[middle->parent];
    const struct rp_frame *f = &p->frames[leaf->frame];
    const char *name = rp_profile_str(p, p->functions[f->function].name, NULL);
    char want[32];

    if (strcmp(name, "[GVL wait]") == 0) {
        return; /* the thread's present state */
    }
    snprintf(want, sizeof(want), "f%d", 1 + f->line % 1000);
    int right = v[0] >= 0 && llabs(v[1] - 3 * v[0]) <= 3 && llabs(v[2] - 5 * v[0]) <= 5 && root->parent == 0 &&
                p->frames[middle->frame].line == 1 && p->frames[root->frame].line == 0 &&
                (strcmp(name, want) == 0 || strcmp(name, "[not named]") == 0);
    must(right, name);
}

/* Checks what is in the file now. Returns the count of all samples; *clock_ns gets the CPU on CLOCK_LINE. */
static inline int64_t check_live(int fd, int64_t *clock_ns)
{
    struct rp_profile p;
    struct rp_error err = {0};
    struct stat st;

    must(fstat(fd, &st) == 0, "fstat");
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    must(data != MAP_FAILED, "mmap");
    rp_profile_init(&p);
    int rc = rp_store_read(data, (size_t)st.st_size, NULL, &p, &err);
    must(rc == 0, err.what);
    *clock_ns = 0;
    for (uint32_t i = 0; i < p.n_samples; i++) {
        if (p.frames[p.nodes[p.samples[i].node].frame].line == CLOCK_LINE) {
            *clock_ns += p.values[3 * (size_t)i + 1];
        } else {
            check_sample(&p, i);
        }
    }
    int64_t n = total(&p, 0);
    rp_profile_free(&p);
    munmap(data, (size_t)st.st_size);
    return n;
}

#endif
