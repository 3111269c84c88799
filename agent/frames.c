/*
 * frames.c - see frames.h. An open-addressing table from VALUE to id, a fresh list and chunks of kept frames.
 */
#include "frames.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_CAPACITY 8192u   /* entries; a power of two */
#define MAX_CAPACITY   262144u
#define EVICT_FROM_CAPACITY 32768u /* smaller tables just grow */
#define FRESH_CAPACITY 4096u   /* a power of two */
#define CHUNK_FRAMES   510u

struct entry {
    rp_value frame; /* 0: empty */
    uint32_t id;
    uint32_t used; /* generation of the last use */
};

struct chunk {
    rp_value object;       /* that owns and marks it */
    rp_value older_object; /* of the chunk made before it: one root holds them all */
    uint32_t n;
    rp_value frames[CHUNK_FRAMES];
};

static struct entry *table;
static uint32_t capacity, count;
static uint32_t next_id = RP_FUNCTION_FIRST;
static uint32_t generation = 1;

static struct {
    rp_value frame;
    uint32_t id;
} fresh[FRESH_CAPACITY];
static uint32_t fresh_head, fresh_tail;
static rp_value fresh_object;

static struct chunk *chunks[MAX_CAPACITY / CHUNK_FRAMES + 2];
static uint32_t n_chunks, filling; /* chunks[filling] takes the next frame */
static rp_value newest_chunk_object;

static char fresh_type[RP_VM_TYPE_BYTES] __attribute__((aligned(16)));
static char chunk_type[RP_VM_TYPE_BYTES] __attribute__((aligned(16)));

static void mark_fresh(void *unused)
{
    (void)unused;
    for (uint32_t i = fresh_head; i != fresh_tail; i++)
        rp_vm.gc_mark(fresh[i & (FRESH_CAPACITY - 1)].frame);
}

static void mark_chunk(void *data)
{
    struct chunk *c = data;
    if (c->older_object)
        rp_vm.gc_mark(c->older_object);
    for (uint32_t i = 0; i < c->n; i++)
        rp_vm.gc_mark(c->frames[i]);
}

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

int rp_frames_init(void)
{
    table = map(FIRST_CAPACITY * sizeof(*table));
    if (!table)
        return -1;
    capacity = FIRST_CAPACITY;
    rp_vm.gc_register_address(&fresh_object);
    rp_vm.gc_register_address(&newest_chunk_object);
    fresh_object = rp_vm_wrap(fresh_type, "rperf/fresh", mark_fresh, fresh, 0);
    return 0;
}

static uint32_t slot_of(rp_value frame)
{
    return (uint32_t)(((uint64_t)frame * 0x9e3779b97f4a7c15u) >> 32) & (capacity - 1);
}

static int fresh_add(rp_value frame, uint32_t id)
{
    if (fresh_tail - fresh_head == FRESH_CAPACITY)
        return -1;
    fresh[fresh_tail & (FRESH_CAPACITY - 1)].frame = frame;
    fresh[fresh_tail & (FRESH_CAPACITY - 1)].id = id;
    fresh_tail++;
    return 0;
}

uint32_t rp_frames_intern(rp_value frame)
{
    uint32_t i = slot_of(frame);
    while (table[i].frame) {
        if (table[i].frame == frame) {
            table[i].used = generation;
            return table[i].id;
        }
        i = (i + 1) & (capacity - 1);
    }
    if (count + count / 8 >= capacity || next_id >= 1u << 24 || fresh_add(frame, next_id) != 0)
        return 0;
    table[i].frame = frame;
    table[i].id = next_id;
    table[i].used = generation;
    count++;
    return next_id++;
}

uint32_t rp_frames_fresh(rp_value *frame)
{
    if (fresh_head == fresh_tail)
        return 0;
    *frame = fresh[fresh_head & (FRESH_CAPACITY - 1)].frame;
    return fresh[fresh_head & (FRESH_CAPACITY - 1)].id;
}

static int make_chunk(void)
{
    if (n_chunks == sizeof(chunks) / sizeof(*chunks))
        return -1;
    struct chunk *c = map(sizeof(*c));
    if (!c)
        return -1;
    c->object = rp_vm_wrap(chunk_type, "rperf/frames", mark_chunk, c, 1);
    if (newest_chunk_object) {
        c->older_object = newest_chunk_object;
        rp_vm.gc_writebarrier(c->object, newest_chunk_object);
    }
    newest_chunk_object = c->object;
    chunks[n_chunks++] = c;
    return 0;
}

static void keep(rp_value frame)
{
    struct chunk *c = chunks[filling];
    c->frames[c->n++] = frame;
    rp_vm.gc_writebarrier(c->object, frame);
}

static int room_to_keep(void)
{
    while (filling < n_chunks && chunks[filling]->n == CHUNK_FRAMES)
        filling++;
    return filling < n_chunks ? 0 : make_chunk();
}

int rp_frames_named(void)
{
    if (room_to_keep() != 0)
        return -1;
    keep(fresh[fresh_head & (FRESH_CAPACITY - 1)].frame);
    fresh_head++;
    return 0;
}

int rp_frames_crowded(void)
{
    return count > capacity / 2;
}

static void insert(struct entry *into, uint32_t size, const struct entry *e)
{
    uint32_t i = (uint32_t)(((uint64_t)e->frame * 0x9e3779b97f4a7c15u) >> 32) & (size - 1);
    while (into[i].frame)
        i = (i + 1) & (size - 1);
    into[i] = *e;
}

static void grow(void)
{
    struct entry *larger = map(2 * capacity * sizeof(*larger));
    if (!larger)
        return;
    for (uint32_t i = 0; i < capacity; i++)
        if (table[i].frame)
            insert(larger, 2 * capacity, &table[i]);
    munmap(table, capacity * sizeof(*table));
    table = larger;
    capacity *= 2;
}

/* Lets go all named frames whose last use is older than the generation. */
static void evict(uint32_t older_than)
{
    struct entry *kept = map(capacity * sizeof(*kept));
    if (!kept)
        return;
    uint32_t first_fresh = fresh_head == fresh_tail ? next_id : fresh[fresh_head & (FRESH_CAPACITY - 1)].id;

    for (uint32_t i = 0; i < n_chunks; i++)
        chunks[i]->n = 0;
    filling = 0;
    count = 0;
    for (uint32_t i = 0; i < capacity; i++) {
        const struct entry *e = &table[i];
        if (!e->frame || (e->used < older_than && e->id < first_fresh))
            continue;
        insert(kept, capacity, e);
        count++;
        if (e->id < first_fresh && room_to_keep() == 0) /* there is: it had a place before */
            keep(e->frame);
    }
    munmap(table, capacity * sizeof(*table));
    table = kept;
}

void rp_frames_maintain(void)
{
    if (capacity >= EVICT_FROM_CAPACITY) {
        evict(generation);
        generation++;
    }
    if (rp_frames_crowded() && capacity < MAX_CAPACITY)
        grow();
    else if (rp_frames_crowded())
        evict(generation);
}

void rp_frames_reset(void)
{
    memset(table, 0, capacity * sizeof(*table));
    count = 0;
    fresh_head = fresh_tail;
    for (uint32_t i = 0; i < n_chunks; i++)
        chunks[i]->n = 0;
    filling = 0;
}
