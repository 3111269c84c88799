/*
 * fuzz_store.c - the reader of stores against any bytes: it ends in a profile or in one line that names an offset.
 *
 * A libFuzzer target (tests/fuzz/README.md). An input is a store without the unused part of its header page: options
 * (1 byte), padding to 8, struct rp_store_header, records. Magic, byte order and header size are made right unless
 * option bit 0 says not to, the committed size unless bit 1 does. The mutator knows what records look like, so that
 * damage gets past the first check: it begins with stores of the writer itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../encoders/store.h"

enum { OPTIONS_BYTES = 8, OPT_RAW_MAGIC = 1, OPT_RAW_COMMITTED = 2, OPT_TWICE = 4, OPT_UNTIL = 8 };

#define HEAD_BYTES (OPTIONS_BYTES + sizeof(struct rp_store_header))

/* Every node, sample and label set of the profile refers to what is there. */
static void check_profile(const struct rp_profile *p)
{
    int bad = 0;
    for (uint32_t i = 1; i < p->n_nodes; i++) {
        bad |= p->nodes[i].parent >= i || p->nodes[i].frame >= p->n_frames;
    }
    for (uint32_t i = 0; i < p->n_frames; i++) {
        bad |= p->frames[i].function >= p->n_functions;
    }
    for (uint32_t i = 0; i < p->n_samples; i++) {
        bad |= p->samples[i].node >= p->n_nodes || p->samples[i].label_set >= p->n_label_sets;
        bad |= p->samples[i].node == 0;
    }
    if (bad) {
        abort();
    }
}

static void read_store(const void *data, size_t size, int options)
{
    struct rp_store_read_options o = {
        .until_mono_ns = options & OPT_UNTIL ? UINT64_C(1) << 62 : 0,
        .exit_cpu_ns = options & OPT_UNTIL ? UINT64_MAX : 0,
        .several = options & OPT_TWICE,
    };
    struct rp_profile p;
    rp_profile_init(&p);
    for (int i = 0; i < (options & OPT_TWICE ? 2 : 1); i++) {
        struct rp_error err = {0};
        if (rp_store_read(data, size, &o, &p, &err) == 0) {
            check_profile(&p);
        } else if (strncmp(err.what, "offset ", 7) != 0 || strchr(err.what, '\n') != NULL) {
            abort();
        }
    }
    rp_profile_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    if (size < HEAD_BYTES) {
        return 0;
    }
    size_t log_bytes = size - HEAD_BYTES;
    size_t bytes = RP_STORE_HEADER_BYTES + log_bytes;
    char *data = calloc(1, bytes); /* exactly as long, so that a sanitizer sees a byte too many */
    if (data == NULL) {
        return 0;
    }
    struct rp_store_header *h = (void *)data;
    memcpy(data, input + OPTIONS_BYTES, sizeof(*h));
    memcpy(data + RP_STORE_HEADER_BYTES, input + HEAD_BYTES, log_bytes);
    if (!(input[0] & OPT_RAW_MAGIC)) {
        memcpy(h->magic, RP_STORE_MAGIC, sizeof(h->magic));
        h->header_bytes = RP_STORE_HEADER_BYTES;
        h->byte_order = 0x01020304;
        h->mode &= 1;
    }
    if (!(input[0] & OPT_RAW_COMMITTED)) {
        atomic_store(&h->committed, log_bytes / 8 * 8);
    }
    read_store(data, bytes, input[0]);
    free(data);
    return 0;
}

/* ---- the mutator ---- */

enum { MOST_BYTES = 1 << 14, SEEDS = 6 };

struct input {
    uint8_t bytes[MOST_BYTES];
    size_t size;
};

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

/* A store with a bit of everything; the larger i, the more of it. */
static void make_seed(struct input *in, uint32_t i)
{
    struct rp_store_config c = {.fd = -1,
                                .max_bytes = 1 << 20,
                                .mode = i & 1,
                                .frequency_hz = 1000,
                                .aggregate = i % 3 != 0,
                                .pid = 7,
                                .start_mono_ns = 1,
                                .start_cpu_ns = 5};
    struct rp_store_writer *w = rp_store_create(&c, NULL);
    struct rp_store_header *h = rp_store_writer_header(w);
    struct rp_store_label labels[] = {{"a", "1"}, {"b", "\xFF"}};

    rp_store_meta(w, "ruby", "3.4", 3);
    for (uint32_t n = 0; n < 1 + i * 3; n++) {
        char name[16];
        size_t len = (size_t)snprintf(name, sizeof(name), "f%u", n);
        uint32_t thread = rp_store_thread(w, n, 1), set = rp_store_label_set(w, labels, n % 3);
        uint32_t node = rp_store_node(w, rp_store_node(w, 0, 1, 1), n + 1, (int32_t)n);
        rp_store_function(w, n + 1, name, len, "f.rb", 4, 1);
        rp_store_thread_name(w, thread, name, len);
        rp_store_add(w, node, n % 5 == 0, thread, set, (enum rp_state)(n % RP_STATE_N), 1, n, n);
        rp_store_thread_state(w, thread, (enum rp_state)(n % 3), 3, 1, node, set);
    }
    size_t log_bytes = (size_t)atomic_load(&h->committed);
    if (log_bytes > MOST_BYTES / 2) {
        log_bytes = MOST_BYTES / 2;
    }
    memset(in->bytes, 0, OPTIONS_BYTES);
    memcpy(in->bytes + OPTIONS_BYTES, h, sizeof(*h));
    memcpy(in->bytes + HEAD_BYTES, (const char *)h + RP_STORE_HEADER_BYTES, log_bytes);
    in->size = HEAD_BYTES + log_bytes;
    rp_store_close(w);
}

/* A word in place: near its old value, a small one, or an extreme. */
static void damage_word(struct input *in)
{
    static const uint32_t extremes[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFF, 512};
    size_t at = HEAD_BYTES;
    uint32_t word;
    if (in->size < at + 8 || draw(8) == 0) {
        at = 0;
    }
    at += draw((uint32_t)(in->size - at) / 4) * 4;
    memcpy(&word, in->bytes + at, sizeof(word));
    switch (draw(4)) {
    case 0:
        word += draw(33) - 16;
        break;
    case 1:
        word = 512 + draw(256);
        break;
    case 2:
        word = extremes[draw(sizeof(extremes) / sizeof(*extremes))];
        break;
    default:
        word = (word & 0xFFFFFF) | draw(12) << 24;
    }
    memcpy(in->bytes + at, &word, sizeof(word));
}

static void damage(struct input *in)
{
    size_t from, to, n;
    switch (draw(8)) {
    case 0: /* a bit */
        in->bytes[draw((uint32_t)in->size)] ^= (uint8_t)(1 << draw(8));
        break;
    case 1: /* cut */
        in->size = HEAD_BYTES + draw((uint32_t)(in->size - HEAD_BYTES) + 1);
        break;
    case 2: /* extend */
        n = draw(64);
        for (; n > 0 && in->size < MOST_BYTES; n--) {
            in->bytes[in->size++] = (uint8_t)draw(256);
        }
        break;
    case 3: /* copy a piece to another place */
        n = 8 * (1 + draw(8));
        if (in->size > HEAD_BYTES + n) {
            from = HEAD_BYTES + draw((uint32_t)(in->size - HEAD_BYTES - n)) / 8 * 8;
            to = HEAD_BYTES + draw((uint32_t)(in->size - HEAD_BYTES - n)) / 8 * 8;
            memmove(in->bytes + to, in->bytes + from, n);
        }
        break;
    default:
        damage_word(in);
    }
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's own */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    static struct input in;

    state = seed;
    if (max_size > MOST_BYTES) {
        max_size = MOST_BYTES;
    }
    if (size < HEAD_BYTES || draw(64) == 0) {
        make_seed(&in, draw(SEEDS));
        in.bytes[0] = (uint8_t)draw(16) & (uint8_t)(draw(4) == 0 ? 15 : 12);
    } else if (draw(4) == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    } else {
        memcpy(in.bytes, data, size < MOST_BYTES ? size : MOST_BYTES);
        in.size = size < MOST_BYTES ? size : MOST_BYTES;
    }
    for (uint32_t times = draw(5); times > 0; times--) {
        damage(&in);
    }
    if (in.size > max_size) {
        in.size = max_size;
    }
    memcpy(data, in.bytes, in.size);
    return in.size;
}
