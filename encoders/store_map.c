/*
 * store_map.c - maps the file of a store and reserves it piece by piece; see store_map.h.
 *
 * The file gets its full length at once (sparse) and pieces are reserved through the mapping
 * (MADV_POPULATE_WRITE answers EFAULT where a touch would be a SIGBUS), so that no descriptor is
 * kept: daemons close them all. Before Linux 5.14 there is no such call; then a descriptor of our
 * own serves posix_fallocate for as long as it is still ours.
 */
#include "store_map.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum {
    ROUND_BYTES = 64 << 10,  /* a multiple of every page size in use */
    MIN_BYTES = 64 << 10,    /* a store below this could hold next to nothing */
    MIN_TRY_BYTES = 1 << 20, /* the least to fall back to when the full size cannot be had */
    FIRST_PIECE = 256 << 10,
    LAST_PIECE = 1 << 20,
    ADDRESS_SPACE_SHARE = 16, /* of a limited address space a store takes one part in so many */
    FIRST_FD = 100,           /* out of the way of programs that count on low numbers */
};

/* References are 32 bits of 8-byte units. */
#define MAX_BYTES ((uint64_t)UINT32_MAX * 8)

static size_t page_down(uint64_t bytes)
{
    return (size_t)(bytes & ~(uint64_t)(ROUND_BYTES - 1));
}

/* max_bytes, less where RLIMIT_FSIZE (a file grown past it is a SIGXFSZ) or RLIMIT_AS ask for it.
 */
static uint64_t allowed_bytes(int fd, uint64_t max_bytes)
{
    struct rlimit limit;
    if (max_bytes > MAX_BYTES) {
        max_bytes = MAX_BYTES;
    }
    if (fd >= 0 && getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < max_bytes) {
        max_bytes = limit.rlim_cur;
    }
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        uint64_t share = limit.rlim_cur / ADDRESS_SPACE_SHARE;
        if (share < MIN_TRY_BYTES) {
            share = MIN_TRY_BYTES;
        }
        if (share < max_bytes) {
            max_bytes = share;
        }
    }
    return max_bytes;
}

/* Maps `bytes`; 0 or an errno. */
static int map(struct rp_store_map *m, int fd, size_t bytes)
{
    void *base;
    if (fd < 0) {
        base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    } else {
        if (ftruncate(fd, (off_t)bytes) != 0) {
            return errno;
        }
        base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (base == MAP_FAILED) {
        return errno;
    }
    madvise(base, bytes, MADV_DONTFORK);
    m->base = base;
    m->size = bytes;
    return 0;
}

/* Keeps a descriptor for posix_fallocate; 0 or an errno. */
static int keep_fd(struct rp_store_map *m, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return errno;
    }
    m->device = (uint64_t)st.st_dev;
    m->inode = (uint64_t)st.st_ino;
    m->fd = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
    if (m->fd < 0) { /* RLIMIT_NOFILE is lower */
        m->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    }
    return m->fd < 0 ? errno : 0;
}

/* Whether the program has left our descriptor alone. */
static int fd_is_ours(const struct rp_store_map *m)
{
    struct stat st;
    return m->fd >= 0 && fstat(m->fd, &st) == 0 && (uint64_t)st.st_dev == m->device &&
           (uint64_t)st.st_ino == m->inode;
}

/* Reserves [m->reserved, to); 0 or an errno. */
static int reserve_to(struct rp_store_map *m, size_t to)
{
    size_t bytes = to - m->reserved;
    if (!m->anonymous) {
        if (m->fd < 0) {
            if (madvise(m->base + m->reserved, bytes, MADV_POPULATE_WRITE) != 0) {
                return errno == EFAULT ? ENOSPC : errno;
            }
        } else if (fd_is_ours(m)) {
            int error = posix_fallocate(m->fd, (off_t)m->reserved, (off_t)bytes);
            if (error != 0) {
                return error;
            }
        } else {
            return EBADF;
        }
    }
    m->reserved = to;
    return 0;
}

/* The first piece; finds out which way of reserving there is. 0 or an errno. */
static int reserve_first(struct rp_store_map *m, int fd)
{
    size_t first = m->size < FIRST_PIECE ? m->size : FIRST_PIECE;
    m->piece = FIRST_PIECE;
    int error = reserve_to(m, first);
    if (error == EINVAL && fd >= 0) {
        error = keep_fd(m, fd);
        if (error == 0) {
            error = reserve_to(m, first);
        }
    }
    return error;
}

int rp_store_map_open(struct rp_store_map *m, int fd, uint64_t max_bytes, struct rp_error *err)
{
    size_t bytes = page_down(allowed_bytes(fd, max_bytes));
    if (bytes < MIN_BYTES) {
        return rp_error_set(err, EFBIG, "no store: a limit allows it %zu bytes only", bytes);
    }
    *m = (struct rp_store_map){.fd = -1, .anonymous = fd < 0};

    int error = map(m, fd, bytes);
    while (error != 0 && bytes / 2 >= MIN_TRY_BYTES) {
        bytes = page_down(bytes / 2);
        error = map(m, fd, bytes);
    }
    if (error != 0) {
        return rp_error_set(err, error, "no store: cannot map %zu bytes", bytes);
    }
    error = reserve_first(m, fd);
    if (error != 0) {
        rp_store_map_close(m);
        return rp_error_set(err, error, "no store: cannot reserve its first %d kilobytes",
                            FIRST_PIECE >> 10);
    }
    return 0;
}

void rp_store_map_close(struct rp_store_map *m)
{
    if (fd_is_ours(m)) {
        close(m->fd);
    }
    munmap(m->base, m->size);
    *m = (struct rp_store_map){.fd = -1};
}

int rp_store_map_reserve(struct rp_store_map *m, size_t bytes)
{
    if (bytes <= m->reserved) {
        return 0;
    }
    if (bytes > m->size) {
        return EFBIG;
    }
    bytes = page_down(bytes + ROUND_BYTES - 1);
    size_t to = bytes + m->piece;
    if (to > m->size) {
        to = m->size;
    }
    int error = reserve_to(m, to);
    if (error != 0 && to > bytes) {
        error = reserve_to(m, bytes); /* the last room of a full device */
    } else if (m->piece < LAST_PIECE) {
        m->piece *= 2;
    }
    return error;
}

void *rp_store_private_alloc(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    madvise(memory, bytes, MADV_DONTFORK);
    return memory;
}

void rp_store_private_free(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}
