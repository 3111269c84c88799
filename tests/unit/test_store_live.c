/*
 * test_store_live.c - the store while others read it, and after its process was killed at any moment.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "store_stacks.h"

static uint64_t cpu_ns(clockid_t clock)
{
    struct timespec t;
    must(clock_gettime(clock, &t) == 0, "clock_gettime");
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- kill ---- */

enum { MOST_LOST_NS = 100000000 };

/*
 * Adds new stacks without end, and every so often, on a stack of its own, the CPU that the process used since the last
 * time: so the store holds it all but for the last such piece.
 */
static void write_until_killed(int fd, int ready)
{
    struct rp_store_writer *w = make_store(fd, MODE_WALL, 64 * MB);
    uint32_t node = rp_store_node(w, 0, 1, CLOCK_LINE);
    uint64_t told = 0;

    if (write(ready, "", 1) != 1) {
        _exit(1);
    }
    for (uint32_t n = 0;; n++) {
        name_function(w, n);
        add_new_stack(w, n % 100000, 0);
        if (n % 64 == 0) {
            uint64_t now = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
            rp_store_add(w, node, 0, 0, 0, RP_STATE_RUNNING, 0, now - told, 0);
            told = now;
        }
    }
}

/* Kills the process; the CPU that it has used. */
static uint64_t kill_it(pid_t pid)
{
    clockid_t clock;
    siginfo_t info;
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    ck_assert_int_eq(clock_getcpuclockid(pid, &clock), 0);
    uint64_t used = cpu_ns(clock);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
    ck_assert_int_eq(info.si_status, SIGKILL);
    return used;
}

/* One life and its end after `us`; the CPU that is missing in the profile. */
static int64_t lost_by_a_kill(useconds_t us)
{
    int64_t kept;
    int fd = temporary_file(), ready[2];
    char byte;

    ck_assert_int_eq(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        write_until_killed(fd, ready[1]);
    }
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    usleep(us);
    int64_t used = (int64_t)kill_it(pid);
    check_live(fd, &kept);
    close(ready[0]);
    close(fd);
    return used - kept;
}

START_TEST(killed_at_any_moment)
{
    enum { KILLS = SANITIZED ? 60 : 450 };
    int64_t worst = 0;

    srand(1);
    for (int i = 0; i < KILLS; i++) {
        int64_t lost = lost_by_a_kill((useconds_t)(rand() % 6000));
        ck_assert_int_ge(lost, 0);
        ck_assert_int_le(lost, MOST_LOST_NS);
        worst = lost > worst ? lost : worst;
    }
    printf("%d kills, %d profiles, at most %.2f ms of CPU missing\n", KILLS, KILLS, (double)worst / 1e6);
}
END_TEST

/* ---- readers at work ---- */

static atomic_int writer_done;

static void *read_all_the_time(void *arg)
{
    int fd = *(int *)arg;
    int64_t before = 0, unused;
    intptr_t rounds = 0;
    do {
        int64_t n = check_live(fd, &unused);
        must(n >= before - 1, "time went back"); /* the waiting thread is in one, and not in the next */
        before = n;
        rounds++;
    } while (!atomic_load(&writer_done));
    return (void *)rounds;
}

/* Readers of the writer's own memory too: what ThreadSanitizer can see. */
static void *read_memory(void *arg)
{
    struct rp_store_writer *w = arg;
    struct rp_profile p;
    intptr_t rounds = 0;
    do {
        read_writer(w, NULL, &p);
        rp_profile_free(&p);
        rounds++;
    } while (!atomic_load(&writer_done));
    return (void *)rounds;
}

/* A reader in another process: reads until all is there. */
static pid_t start_reader(int fd, int64_t last)
{
    pid_t pid = fork();
    if (pid == 0) {
        int64_t n = 0, unused;
        while (n < last) {
            int64_t now = check_live(fd, &unused);
            if (now < n - 1) {
                _exit(1);
            }
            n = now;
        }
        _exit(0);
    }
    return pid;
}

/* New stacks in a row, each under a thread state of its own; how many a second of this thread's CPU. */
static double write_new_stacks(struct rp_store_writer *w, uint32_t n)
{
    uint32_t thread = rp_store_thread(w, 1, 0);
    uint64_t began = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < n; i++) {
        rp_store_thread_state(w, thread, RP_STATE_GVL_WAIT, i, 0, rp_store_node(w, 0, 1, 1), 0);
        name_function(w, i);
        add_new_stack(w, i, thread);
    }
    rp_store_thread_state(w, thread, RP_STATE_NONE, 0, 0, 0, 0);
    return (double)n * 1e9 / (double)(cpu_ns(CLOCK_THREAD_CPUTIME_ID) - began);
}

/* Many readers and one writer that adds (where nothing slows it down) more than 100,000 new stacks a second. */
START_TEST(readers_and_a_writer)
{
    enum { N = SANITIZED ? 60000 : 200000, READERS = 3, PROCESSES = 2, LEAST_RATE = 100000 };
    int fd = temporary_file(), status;
    struct rp_store_writer *w = make_store(fd, MODE_WALL, 64 * MB);
    pthread_t threads[2 * READERS];
    pid_t pids[PROCESSES];
    void *rounds;

    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = start_reader(fd, N);
    }
    for (int i = 0; i < READERS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_all_the_time, &fd), 0);
        ck_assert_int_eq(pthread_create(&threads[READERS + i], NULL, read_memory, w), 0);
    }
    double rate = write_new_stacks(w, N);
    finish(w);
    atomic_store(&writer_done, 1);
    for (int i = 0; i < 2 * READERS; i++) {
        pthread_join(threads[i], &rounds);
        ck_assert_int_gt((intptr_t)rounds, 0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        ck_assert_int_eq(waitpid(pids[i], &status, 0), pids[i]);
        ck_assert_int_eq(status, 0);
    }
    check_totals(w, N);
    rp_store_close(w);
    ck_assert(SANITIZED || rate > LEAST_RATE);
    printf("%d readers, one writer: %.0f new stacks a second of its CPU\n", 2 * READERS + PROCESSES, rate);
}
END_TEST

/* A thread that changes its state all the time: a reader sees one state or the next, never a
 * mixture. In state k it owes k and stands on the node of line k. */
static atomic_int states_seen;

static void *read_states(void *arg)
{
    struct rp_store_read_options until = {.until_mono_ns = 1};
    struct rp_store_writer *w = arg;
    struct rp_profile p;

    while (!atomic_load(&writer_done)) {
        read_writer(w, &until, &p);
        for (uint32_t i = 0; i < p.n_samples; i++) {
            const struct rp_node *leaf = &p.nodes[p.samples[i].node];
            must(p.values[3 * i + 2] == p.frames[p.nodes[leaf->parent].frame].line, "a mixture of two states");
            atomic_fetch_add(&states_seen, 1);
        }
        rp_profile_free(&p);
    }
    return NULL;
}

START_TEST(states_are_whole)
{
    enum { N = 1000000, NODES = 64 };
    struct rp_store_writer *w = make_store(-1, MODE_WALL, MB);
    uint32_t nodes[NODES], thread = rp_store_thread(w, 1, 0);
    pthread_t reader;

    for (int i = 0; i < NODES; i++) {
        nodes[i] = rp_store_node(w, 0, 1, i + 1);
    }
    ck_assert_int_eq(pthread_create(&reader, NULL, read_states, w), 0);
    for (uint32_t i = 0; i < N || atomic_load(&states_seen) == 0; i++) {
        uint32_t k = i % NODES;
        rp_store_thread_state(w, thread, RP_STATE_GVL_WAIT, 1000 + k, k + 1, nodes[k], 0);
        if (i % 1000 == 0) {
            sched_yield();
            usleep(20);
        }
    }
    atomic_store(&writer_done, 1);
    pthread_join(reader, NULL);
    rp_store_close(w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store live");
    TCase *t = tcase_create("live");
    tcase_add_test(t, killed_at_any_moment);
    tcase_add_test(t, readers_and_a_writer);
    tcase_add_test(t, states_are_whole);
    tcase_set_timeout(t, 300);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
