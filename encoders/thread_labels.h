/*
 * thread_labels.h - which thread of which process a sample belongs to, by its labels thread_seq,
 * thread and %pid.
 */
#ifndef RP_THREAD_LABELS_H
#define RP_THREAD_LABELS_H

#include "profile.h"

struct rp_thread_label {
    uint32_t pid;  /* string, 0: not said */
    uint32_t name; /* string, 0: none */
    int64_t seq;   /* 0: not said */
};

struct rp_thread_list {
    struct rp_thread_label *threads; /* in the order of their first label sets */
    uint32_t n;
    uint32_t *of_label_set; /* index into threads, by label set of the profile */
};

/* 0; -1: out of memory. Free the list in both cases. */
int rp_thread_list_make(const struct rp_profile *p, struct rp_thread_list *list);
void rp_thread_list_free(struct rp_thread_list *list);

#endif
