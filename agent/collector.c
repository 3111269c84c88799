/*
 * collector.c - the collector's thread: waits for the next tick, drains the ring into the store, answers requests; see collector.h.
 * What it does with an entry is in books.c, when it ticks in ticker.c.
 */
#include "collector.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "books.h"
#include "clock.h"
#include "sampler.h"
#include "threads.h"
#include "ticker.h"

#define PUBLISH_NS    25000000u /* how stale a killed process's thread states may be */
#define STACK_BYTES   (256u * 1024)

static struct rp_collector_config config;
static struct rp_store_writer *store;
static struct rp_ticker ticker;
static pthread_t thread;
static _Atomic pid_t thread_id; /* 0: no collector */

static _Atomic uint32_t wake_word;
static _Atomic int asleep; /* ticks sleep until a thread runs */
static _Atomic int stopping;
static _Atomic(void (*)(void)) request;
static timer_t timer;
static int have_timer;

static void futex(uint32_t op, uint32_t value, const struct timespec *until)
{
    syscall(SYS_futex, &wake_word, op | FUTEX_PRIVATE_FLAG, value, until, NULL,
            FUTEX_BITSET_MATCH_ANY);
}

void rp_collector_wake(void)
{
    int saved = errno;
    pid_t tid = atomic_load(&thread_id);
    atomic_fetch_add(&wake_word, 1);
    if (config.signal && tid)
        syscall(SYS_tgkill, getpid(), tid, config.signal);
    else
        futex(FUTEX_WAKE_BITSET, 1, NULL);
    errno = saved;
}

void rp_collector_running(void)
{
    /* seq_cst on both sides: either we see asleep, or the collector sees the running thread before it sleeps */
    if (atomic_load(&asleep) && atomic_exchange(&asleep, 0))
        rp_collector_wake();
}

void rp_collector_request(void (*fn)(void))
{
    atomic_store(&request, fn);
    rp_collector_wake();
}

void rp_collector_distrust_events(void)
{
    atomic_store_explicit(&ticker.distrust, 1, memory_order_relaxed);
}

void rp_collector_job_ran(void)
{
    atomic_store_explicit(&ticker.job_pending, 0, memory_order_relaxed);
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* The timer as time source: it fires the signal at this thread at the moment asked for. */
static void wait_signal(uint64_t until)
{
    sigset_t set;
    struct itimerspec at = {.it_value = timespec_of(until == UINT64_MAX ? 0 : until)};
    sigemptyset(&set);
    sigaddset(&set, config.signal);
    timer_settime(timer, TIMER_ABSTIME, &at, NULL);
    sigwaitinfo(&set, NULL);
}

static void wait_until(uint64_t until, uint32_t seen)
{
    struct timespec t = timespec_of(until == UINT64_MAX ? 0 : until);
    if (until <= rp_clock_mono() || atomic_load(&wake_word) != seen)
        return;
    if (have_timer)
        wait_signal(until);
    else
        futex(FUTEX_WAIT_BITSET, seen, until == UINT64_MAX ? NULL : &t);
}

static void make_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = config.signal};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    have_timer = config.signal && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    if (config.signal && !have_timer) {
        config.signal = 0;
        rp_store_meta(store, "warning", "no POSIX timer: ticks come from the profiler's own thread", 57);
    }
}

static void tick(uint64_t now)
{
    if (rp_ticker_due(&ticker, now, &rp_grid)) {
        atomic_store_explicit(&ticker.job_pending, 1, memory_order_relaxed);
        config.tick();
    }
}

static void answer_request(void)
{
    void (*fn)(void) = atomic_exchange(&request, NULL);
    if (fn) {
        rp_books_publish(rp_clock_mono());
        fn();
    }
}

/* One round: tick, drain, publish. Returns when to come back. */
static uint64_t round_(uint64_t *published)
{
    uint64_t now = rp_clock_mono();
    tick(now);
    rp_books_drain();
    if (now - *published >= PUBLISH_NS) {
        rp_books_publish(now);
        rp_books_count_ticks(&ticker);
        rp_ticker_throttle(&ticker, now);
        *published = now;
    }
    answer_request();

    uint64_t next = rp_ticker_next(&ticker, now, &rp_grid);
    if (next == UINT64_MAX) {
        rp_books_publish(now);
        *published = now;
        atomic_store(&asleep, 1);
        if (atomic_load(&rp_threads_running) > 0) {
            atomic_store(&asleep, 0);
            next = now;
        }
    }
    return next;
}

static void *run(void *unused)
{
    uint64_t published = 0;
    (void)unused;
    pthread_setname_np(pthread_self(), "rperf");
    atomic_store(&thread_id, (pid_t)syscall(SYS_gettid));
    make_timer();
    while (!atomic_load(&stopping)) {
        uint32_t seen = atomic_load(&wake_word);
        uint64_t next = round_(&published);
        if (!atomic_load(&stopping) && !atomic_load(&request))
            wait_until(next, seen);
        atomic_store(&asleep, 0);
    }
    rp_books_drain();
    rp_books_count_ticks(&ticker);
    rp_books_close(rp_clock_mono());
    if (have_timer)
        timer_delete(timer);
    return NULL;
}

int rp_collector_start(const struct rp_collector_config *c, struct rp_store_writer *s)
{
    sigset_t all, before;
    pthread_attr_t attr;

    config = *c;
    store = s;
    atomic_store(&stopping, 0);
    atomic_store(&asleep, 0);
    rp_books_open(s);
    rp_ticker_init(&ticker, c->thread_events);
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attr, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return error;
}

void rp_collector_stop(void)
{
    atomic_store(&stopping, 1);
    rp_collector_wake();
    pthread_join(thread, NULL);
    atomic_store(&thread_id, 0);
}

void rp_collector_forget(void)
{
    atomic_store(&thread_id, 0);
    atomic_store(&asleep, 0);
    atomic_store(&request, NULL);
    have_timer = 0; /* timers are not inherited */
}
