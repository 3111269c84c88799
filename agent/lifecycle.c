/*
 * lifecycle.c - see lifecycle.h.
 */
#include "lifecycle.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "collector.h"
#include "current.h"
#include "frames.h"
#include "gc.h"
#include "gvl.h"
#include "job.h"
#include "names.h"
#include "sampler.h"
#include "message.h"
#include "snapshot.h"
#include "threads.h"
#include "writeout.h"

_Atomic int rp_phase = RP_IDLE;

static struct rp_options options;
static struct rp_store_writer *store;
static uint64_t fork_ns; /* when this process was forked */

const struct rp_options *rp_lifecycle_options(void)
{
    return &options;
}

struct rp_store_writer *rp_lifecycle_store(void)
{
    return store;
}

static uint64_t random_seed(void)
{
    uint64_t seed = rp_clock_mono();
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
        seed ^= (uint64_t)getpid() << 32;
    return seed;
}

/* Facts for the profile's comments. */
static void describe(void)
{
    char line[256];
    const char *ruby = rp_vm.description;

    rp_store_meta(store, "ruby", ruby, strlen(ruby));
    rp_writeout_describe(store);
    if (rp_vm_thread_events() != 1) {
        int n = snprintf(line, sizeof(line), "this Ruby has no thread events that name their thread: no GVL states, a wait shows "
                                             "the stack of the next safepoint");
        rp_store_meta(store, "limit", line, (size_t)n);
    }
}

/* Opens this process's store and starts the collector over it. born_ns, cpu_ns: since when the process counts. */
static int open_books(uint64_t born_ns, uint64_t cpu_ns)
{
    struct rp_store_config config = {
        .max_bytes = (uint64_t)options.max_memory << 20,
        .mode = (uint32_t)options.mode,
        .frequency_hz = (uint32_t)options.frequency,
        .aggregate = (uint32_t)options.aggregate,
        .lines = (uint32_t)options.lines,
        .pid = getpid(),
        .ppid = getppid(),
        .start_mono_ns = born_ns,
        .start_cpu_ns = cpu_ns,
    };
    struct rp_collector_config collector = {
        .tick = rp_job_tick,
        .thread_events = rp_vm_thread_events() >= 0,
        .signal = options.signal,
        .frequency_hz = (uint64_t)options.frequency,
    };
    config.start_real_ns = rp_clock_read(CLOCK_REALTIME) - (rp_clock_mono() - born_ns);
    rp_grid_init(&rp_grid, (uint64_t)options.frequency, born_ns - 1000000000u, random_seed());
    store = rp_writeout_open_store(&config);
    if (!store)
        return -1;
    describe();
    int error = rp_collector_start(&collector, store);
    if (error) {
        rp_message("no profile: cannot start a thread: %s", strerror(error));
        rp_store_close(store);
        store = NULL;
        return -1;
    }
    return 0;
}

/* The slot of the thread that is here at the start. */
static void adopt_current(uint64_t born_ns, uint64_t cpu_mark_ns)
{
    rp_value self = rp_vm.thread_current();
    struct rp_thread *t = rp_thread_new(RP_RUNS, born_ns);
    if (!t)
        return;
    t->is_main = 1;
    t->native = pthread_self();
    t->cpu_mark_ns = cpu_mark_ns;
    atomic_store(&t->tid, (int32_t)syscall(SYS_gettid));
    rp_slot_set(self, t);
}

/*
 * Only marks what is inherited as not ours and asks for a job: the VM has not repaired itself yet, and a process that is forked for
 * an exec must not pay for a thread and a store (VM-FACTS A11). ctx: fork child.
 */
static void after_fork_child(void)
{
    if (atomic_load(&rp_phase) != RP_ACTIVE && atomic_load(&rp_phase) != RP_FORKED)
        return;
    atomic_store(&rp_phase, options.inherit ? RP_FORKED : RP_STOPPED);
    fork_ns = rp_clock_mono();
    store = NULL;
    rp_collector_forget();
    rp_snapshot_forget();
    rp_writeout_forget();
    if (options.inherit)
        rp_job_trigger();
}

void rp_lifecycle_start_in_child(void)
{
    /* what the kernel and the VM burnt for the fork, before this first safepoint, is nobody's code: [process start] */
    uint64_t cpu = rp_clock_read(CLOCK_PROCESS_CPUTIME_ID);
    rp_frames_reset();
    rp_sampler_reset();
    if (rp_threads_init() != 0 || rp_ring_init(&rp_ring) != 0 || open_books(fork_ns, cpu) != 0) {
        atomic_store(&rp_phase, RP_STOPPED);
        return;
    }
    memset(&rp_counters, 0, sizeof(rp_counters));
    adopt_current(fork_ns, rp_clock_thread_cpu());
    atomic_store(&rp_phase, RP_ACTIVE);
}

/* All that has no name yet gets one while names can still be asked for. */
static void name_all(void)
{
    for (int i = 0; i < 1000 && rp_names_run(0); i++)
        usleep(500); /* the ring is full: the collector drains it */
}

/* After the application's last at_exit block. ctx: GVL held; the VM goes on after it. */
static void end_proc(rp_value unused)
{
    (void)unused;
    if (atomic_load(&rp_phase) != RP_ACTIVE)
        return;
    struct rp_thread *t = rp_slot_here(rp_vm.thread_current(), rp_clock_mono());
    name_all();
    if (t) {
        rp_thread_settle(t, RP_STATE_RUNNING, rp_clock_mono());
        rp_thread_settle_cpu(t, rp_clock_thread_cpu());
    }
    atomic_store(&rp_phase, RP_STOPPED);
    rp_collector_stop();
    rp_snapshot_finish();
    rp_writeout_end(store);
}

static rp_value prepare(rp_value unused)
{
    (void)unused;
    rp_vm_ask();
    if (rp_frames_init() != 0)
        return 0;
    rp_current_init();
    rp_names_init();
    return 1;
}

static int prepare_vm(void)
{
    int state = 0;
    rp_value ready = rp_vm.protect(prepare, 0, &state);
    if (state)
        rp_vm.set_errinfo(rp_vm.nil);
    return !state && ready ? 0 : -1;
}

void rp_lifecycle_start(const struct rp_options *given)
{
    uint64_t now = rp_clock_mono(), cpu = rp_clock_read(CLOCK_PROCESS_CPUTIME_ID);

    options = *given;
    if (prepare_vm() != 0 || rp_job_init() != 0 || rp_threads_init() != 0 ||
        rp_sampler_init(options.lines, (uint64_t)options.frequency, now) != 0) {
        rp_message("no profile: the VM refused what the profiler needs at its start");
        return;
    }
    if (open_books(now, cpu) != 0)
        return;
    adopt_current(now, rp_clock_thread_cpu());
    pthread_atfork(NULL, NULL, after_fork_child);
    rp_vm.set_end_proc(end_proc, rp_vm.nil);
    rp_gvl_init(options.mode == RP_MODE_WALL);
    rp_gc_init();
    rp_snapshot_init(options.snapshot_signal);
    atomic_store(&rp_phase, RP_ACTIVE);
}
