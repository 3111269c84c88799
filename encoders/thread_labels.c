/*
 * thread_labels.c - which thread of which process a sample belongs to; see thread_labels.h.
 *
 * A thread is (pid, seq), or (pid, name) where samples have no seq; a later name of it counts.
 */
#include "thread_labels.h"

#include <stdlib.h>

struct keys {
    uint32_t pid, seq, thread; /* strings; UINT32_MAX where the profile has no such string */
};

static struct rp_thread_label thread_of(const struct rp_profile *p, uint32_t set,
                                        const struct keys *keys)
{
    struct rp_thread_label t = {0};

    for (uint32_t i = 0; i < p->label_sets[set].count; i++) {
        const struct rp_label *l = &p->labels[p->label_sets[set].first + i];
        if (l->key == keys->pid) {
            t.pid = l->str;
        } else if (l->key == keys->seq) {
            t.seq = l->num;
        } else if (l->key == keys->thread) {
            t.name = l->str;
        }
    }
    return t;
}

int rp_thread_list_make(const struct rp_profile *p, struct rp_thread_list *list)
{
    struct keys keys = {rp_strtab_find(&p->strings, "%pid", 4),
                        rp_strtab_find(&p->strings, "thread_seq", 10),
                        rp_strtab_find(&p->strings, "thread", 6)};
    struct rp_profile ids; /* its label sets number the threads, from 1 */

    list->n = 0;
    list->threads = calloc(p->n_label_sets + 1ull, sizeof(*list->threads));
    list->of_label_set = calloc(p->n_label_sets + 1ull, sizeof(*list->of_label_set));
    rp_profile_init(&ids);
    if (!list->threads || !list->of_label_set) {
        ids.oom = 1;
    }
    for (uint32_t set = 0; set < p->n_label_sets && !ids.oom; set++) {
        struct rp_thread_label t = thread_of(p, set, &keys);
        struct rp_label identity = {t.pid, t.seq ? 0 : t.name, t.seq, 0};
        uint32_t id = rp_profile_label_set(&ids, &identity, 1);
        if (ids.oom) {
            break;
        }
        uint32_t name = t.name ? t.name : list->threads[id - 1].name;
        list->threads[id - 1] = t;
        list->threads[id - 1].name = name;
        list->of_label_set[set] = id - 1;
        list->n = ids.n_label_sets - 1;
    }
    int rc = ids.oom ? -1 : 0;
    rp_profile_free(&ids);
    return rc;
}

void rp_thread_list_free(struct rp_thread_list *list)
{
    free(list->threads);
    free(list->of_label_set);
    *list = (struct rp_thread_list){0};
}
