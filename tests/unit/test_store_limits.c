/*
 * test_store_limits.c - the store where room ends, where descriptors are closed, and in a fork's child.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "store_stacks.h"

/* ---- no room ---- */

/* New stacks without end in a small store: all weights are there, and of each thread; names still
 * find room. */
START_TEST(full_store_keeps_all_weights)
{
    enum { N = 300000, THREADS = 20 };
    int fd = _i == 0 ? -1 : temporary_file();
    struct rp_store_writer *w = make_store(fd, MODE_WALL, MB);
    uint32_t threads[THREADS];
    struct rp_profile p;
    int64_t of_thread[THREADS] = {0};
    char text[1024];

    for (uint32_t i = 0; i < THREADS; i++) {
        threads[i] = rp_store_thread(w, i, 0);
    }
    for (uint32_t i = 0; i < N; i++) {
        add_new_stack(w, i, threads[i % THREADS]);
    }
    rp_store_function(w, 1, "late", 4, "late.rb", 7, 1);
    finish(w);
    check_totals(w, N);
    ck_assert_uint_gt(atomic_load(&rp_store_writer_header(w)->truncated), N / 2);

    read_writer(w, NULL, &p);
    int named = 0;
    for (uint32_t i = 0; i < p.n_samples; i++) {
        const char *seq = label_of(&p, i, "thread_seq");
        ck_assert_ptr_nonnull(seq);
        of_thread[atoi(seq)] += p.values[3 * i];
        named |= strncmp(stack_text(&p, i, text), "late:0;late:1;late:", 19) == 0;
    }
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(of_thread[i], N / THREADS);
    }
    ck_assert_int_eq(named, 1);
    rp_profile_free(&p);
    rp_store_close(w);
}
END_TEST

/* Endless threads, labels, names and metas: the last resort takes what has no place at all. */
START_TEST(full_store_of_everything)
{
    enum { N = 60000 };
    struct rp_store_writer *w = make_store(-1, MODE_WALL, 128 << 10);
    char text[64];
    for (uint32_t i = 0; i < N; i++) {
        size_t len = (size_t)snprintf(text, sizeof(text), "text %u", i);
        struct rp_store_label l = {"request", text};
        uint32_t thread = rp_store_thread(w, i, 0);
        rp_store_thread_name(w, thread, text, len);
        rp_store_function(w, i + 1, text, len, text, len, 1);
        rp_store_meta(w, "warning", text, len);
        rp_store_thread_state(w, thread, RP_STATE_RUNNING, 1, 0, 0, 0);
        rp_store_add(w, rp_store_node(w, 0, i + 1, 1), 0, thread, rp_store_label_set(w, &l, 1),
                     RP_STATE_RUNNING, 1, 3, 5);
    }
    finish(w);
    check_totals(w, N);
    ck_assert_uint_le(atomic_load(&rp_store_writer_header(w)->committed), 128 << 10);
    rp_store_close(w);
}
END_TEST

START_TEST(too_small)
{
    struct rp_store_config c = store_config(-1, MODE_CPU, 1000);
    struct rp_error err;
    ck_assert_ptr_null(rp_store_create(&c, &err));
    ck_assert_int_eq(err.errnum, EFBIG);
    c.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    c.max_bytes = MB;
    ck_assert_ptr_null(rp_store_create(&c, &err));
    ck_assert_int_eq(strncmp(err.what, "no store: cannot map", 20), 0);
}
END_TEST

START_TEST(file_size_limit)
{
    enum { N = 50000 };
    struct rlimit limit = {300000, 300000};
    int fd = temporary_file();
    struct stat st;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct rp_store_writer *w = make_store(fd, MODE_WALL, 64 * MB);
    for (uint32_t i = 0; i < N; i++) {
        add_new_stack(w, i, 0);
    }
    finish(w);
    check_totals(w, N);
    ck_assert_int_eq(fstat(fd, &st), 0);
    ck_assert_int_le(st.st_size, 300000);
    rp_store_close(w);
}
END_TEST

START_TEST(address_space_limit)
{
    if (SANITIZED) {
        return; /* shadow memory is larger than any limit */
    }
    struct rlimit limit = {256 * MB, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
    struct rp_store_writer *w = make_store(temporary_file(), MODE_WALL, UINT64_C(4096) * MB);
    ck_assert_uint_le(rp_store_writer_bytes(w), 16 * MB);
    add_new_stack(w, 1, 0);
    finish(w);
    check_totals(w, 1);
}
END_TEST

static int in_tiny_tmpfs(const char *options)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "/mnt", "tmpfs", 0, options) != 0) {
        fprintf(stderr, "skipped: no tmpfs can be mounted here\n");
        return 0;
    }
    return 1;
}

/* A full tmpfs is no SIGBUS; when it has room again the store grows on. */
START_TEST(full_device)
{
    enum { N = 40000 };
    if (!in_tiny_tmpfs("size=4m")) {
        return;
    }
    int fd = open("/mnt/store", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int filler = open("/mnt/filler", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_eq(posix_fallocate(filler, 0, 3 * MB), 0);
    struct rp_store_writer *w = make_store(fd, MODE_WALL, 64 * MB);
    struct rp_store_header *h = rp_store_writer_header(w);
    for (uint32_t i = 0; i < N; i++) {
        add_new_stack(w, i, 0);
    }
    uint64_t full = atomic_load(&h->committed);
    ck_assert_uint_le(full, 1 * MB);
    ck_assert_uint_gt(full, 700 << 10);
    ck_assert_uint_gt(atomic_load(&h->truncated), 0);
    ck_assert_int_eq(ftruncate(filler, 0), 0);
    for (uint32_t i = 0; i < N; i++) {
        add_new_stack(w, N + i, 0);
    }
    ck_assert_uint_gt(atomic_load(&h->committed), 2 * MB);
    finish(w);
    check_totals(w, 2 * N);
    rp_store_close(w);

    ck_assert_int_eq(ftruncate(fd, 0), 0); /* not even the first piece */
    ck_assert_int_eq(posix_fallocate(filler, 0, 4 * MB - 65536), 0);
    struct rp_store_config c = store_config(fd, MODE_CPU, MB);
    struct rp_error err;
    ck_assert_ptr_null(rp_store_create(&c, &err));
    ck_assert_int_eq(err.errnum, ENOSPC);
}
END_TEST

/* Answers madvise(..., MADV_POPULATE_WRITE) as kernels before 5.14 do. */
static int forget_populate_write(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 23, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(*code), code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* A program that closes all descriptors: the store grows on, or (old kernels) stays as large as it
 * is and never touches a file that is not its own. */
START_TEST(all_descriptors_closed)
{
    enum { N = 100000 };
    int old_kernel = _i;
    int fd = temporary_file(), reader = -1;
    if (old_kernel && !forget_populate_write()) {
        fprintf(stderr, "skipped: no seccomp filter here\n");
        return;
    }
    struct rp_store_writer *w = make_store(fd, MODE_WALL, 64 * MB);
    close(fd);
    for (uint32_t i = 0; i < 20000; i++) {
        add_new_stack(w, i, 0);
    }
    uint64_t before = atomic_load(&rp_store_writer_header(w)->committed);
    ck_assert_uint_gt(before, MB);
    for (int i = 3; i < 1024; i++) {
        close(i);
    }
    for (int i = 3; i < 200; i++) { /* the number of our descriptor now means something else */
        reader = open("/dev/zero", O_RDWR);
    }
    ck_assert_int_eq(reader, 199);
    for (uint32_t i = 20000; i < N; i++) {
        add_new_stack(w, i, 0);
    }
    finish(w);
    check_totals(w, N);
    uint64_t after = atomic_load(&rp_store_writer_header(w)->committed);
    if (old_kernel) {
        ck_assert_uint_le(after, before + 2 * MB);
    } else {
        ck_assert_uint_gt(after, 5 * MB);
    }
    rp_store_close(w);
    ck_assert_int_eq(fcntl(100, F_GETFD), 0); /* not closed by us */
}
END_TEST

/* ---- fork ---- */

static int mapped_bytes_of_stores(void)
{
    char line[512];
    int n = 0;
    FILE *f = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof(line), f) != NULL) {
        n += strstr(line, "memfd:store") != NULL;
    }
    fclose(f);
    return n;
}

START_TEST(fork_child_inherits_nothing)
{
    struct rp_store_writer *w = make_store(temporary_file(), MODE_WALL, 64 * MB);
    int status;
    add_new_stack(w, 1, 0);
    ck_assert_int_eq(mapped_bytes_of_stores(), 1);
    pid_t pid = fork();
    if (pid == 0) {
        _exit(mapped_bytes_of_stores());
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    add_new_stack(w, 2, 0);
    rp_store_close(w);
}
END_TEST

/* ---- steady state ---- */

START_TEST(known_stacks_take_no_room)
{
    struct rp_store_writer *w = make_store(temporary_file(), MODE_WALL, 64 * MB);
    for (uint32_t i = 0; i < 1000; i++) {
        add_new_stack(w, i, 0);
    }
    uint64_t before = atomic_load(&rp_store_writer_header(w)->committed);
    for (uint32_t i = 0; i < 1000000; i++) {
        add_new_stack(w, i % 1000, 0);
    }
    ck_assert_uint_eq(atomic_load(&rp_store_writer_header(w)->committed), before);
    finish(w);
    check_totals(w, 1001000);
    rp_store_close(w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store limits");
    TCase *t = tcase_create("limits");
    tcase_add_loop_test(t, full_store_keeps_all_weights, 0, 2);
    tcase_add_test(t, full_store_of_everything);
    tcase_add_test(t, too_small);
    tcase_add_test(t, file_size_limit);
    tcase_add_test(t, address_space_limit);
    tcase_add_test(t, full_device);
    tcase_add_loop_test(t, all_descriptors_closed, 0, 2);
    tcase_add_test(t, fork_child_inherits_nothing);
    tcase_add_test(t, known_stacks_take_no_room);
    tcase_set_timeout(t, 120);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
