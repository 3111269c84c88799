/*
 * store_helper.h - what the tests of the store share: making one, reading it, asking the profile.
 */
#ifndef STORE_HELPER_H
#define STORE_HELPER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../encoders/store.h"

enum { MODE_CPU, MODE_WALL, MB = 1 << 20 };

/* As ck_assert, for threads and children of a test (Check knows one thread only) and for what is asserted so often that
 * Check's system call for each would be too much. */
static inline void must(int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "must: %s\n", what);
        abort();
    }
}

static inline struct rp_store_config store_config(int fd, uint32_t mode, uint64_t max_bytes)
{
    return (struct rp_store_config){
        .fd = fd,
        .max_bytes = max_bytes,
        .mode = mode,
        .frequency_hz = 1000,
        .aggregate = 1,
        .lines = 1,
        .pid = 4242,
        .ppid = 1,
        .start_real_ns = 1700000000000000000u,
        .start_mono_ns = 1000000000u,
    };
}

static inline struct rp_store_writer *make_store(int fd, uint32_t mode, uint64_t max_bytes)
{
    struct rp_store_config c = store_config(fd, mode, max_bytes);
    struct rp_error err = {0};
    struct rp_store_writer *w = rp_store_create(&c, &err);
    ck_assert_msg(w != NULL, "%s", err.what);
    return w;
}

static inline int temporary_file(void)
{
    int fd = memfd_create("store", MFD_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    return fd;
}

/* Reads the writer's own memory into p. */
static inline void read_writer(struct rp_store_writer *w,
                               const struct rp_store_read_options *options, struct rp_profile *p)
{
    struct rp_error err = {0};
    rp_profile_init(p);
    int rc = rp_store_read(rp_store_writer_header(w), rp_store_writer_bytes(w), options, p, &err);
    must(rc == 0, err.what);
}

static inline int64_t total(const struct rp_profile *p, uint32_t type)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->n_samples; i++) {
        sum += p->values[(size_t)i * p->n_types + type];
    }
    return sum;
}

/* The stack of a sample, root first, "name:line;...", into out. */
static inline const char *stack_text(const struct rp_profile *p, uint32_t sample, char out[1024])
{
    char older[1024];
    out[0] = '\0';
    for (uint32_t n = p->samples[sample].node; n != 0; n = p->nodes[n].parent) {
        const struct rp_frame *f = &p->frames[p->nodes[n].frame];
        snprintf(older, sizeof(older), "%s", out);
        int len = snprintf(out, 1024, "%s:%d",
                           rp_profile_str(p, p->functions[f->function].name, NULL), f->line);
        if (older[0] != '\0') {
            snprintf(out + len, 1024 - (size_t)len, ";%.900s", older);
        }
    }
    return out;
}

/* The index of the first sample with this stack; fails without one. */
static inline uint32_t find_stack(const struct rp_profile *p, const char *stack)
{
    char text[1024];
    for (uint32_t i = 0; i < p->n_samples; i++) {
        if (strcmp(stack_text(p, i, text), stack) == 0) {
            return i;
        }
    }
    ck_abort_msg("no sample %s", stack);
    return 0;
}

static inline int64_t value_of(const struct rp_profile *p, const char *stack, uint32_t type)
{
    return p->values[(size_t)find_stack(p, stack) * p->n_types + type];
}

/* The text of a label of a sample: a number in decimals, NULL without the label. */
static inline const char *label_of(const struct rp_profile *p, uint32_t sample, const char *key)
{
    static char number[32];
    const struct rp_label_set *set = &p->label_sets[p->samples[sample].label_set];
    for (uint32_t i = 0; i < set->count; i++) {
        const struct rp_label *l = &p->labels[set->first + i];
        if (strcmp(rp_profile_str(p, l->key, NULL), key) == 0) {
            snprintf(number, sizeof(number), "%lld", (long long)l->num);
            return l->str != 0 ? rp_profile_str(p, l->str, NULL) : number;
        }
    }
    return NULL;
}

static inline int has_comment(const struct rp_profile *p, const char *text)
{
    for (uint32_t i = 0; i < p->n_comments; i++) {
        if (strcmp(rp_profile_str(p, p->comments[i], NULL), text) == 0) {
            return 1;
        }
    }
    return 0;
}

#endif
