/*
 * probe.c - a C extension for the end-to-end tests: work and waits in C whose true cost is known,
 * with and without the GVL. Built by tests/e2e/run against the headers of each Ruby, loaded with
 * require by its path.
 *
 *     Probe.busy_gvl(ms)  Probe.busy_nogvl(ms)     burns the thread's own CPU time
 *     Probe.sleep_gvl(ms) Probe.sleep_nogvl(ms)    sleeps; returns how many calls a signal broke
 *     Probe.poll(ms)      Probe.select(ms)         the same in poll and select, holding the GVL
 */
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <time.h>

#include "ruby.h"
#include "ruby/thread.h"

static long long now_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *burn(void *ms)
{
    long long end = now_ns(CLOCK_THREAD_CPUTIME_ID) + *(int *)ms * 1000000LL;
    volatile int i;

    while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
        for (i = 0; i < 2000; i++)
            ;
    return NULL;
}

static int wait_nanosleep(int ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000L};

    return nanosleep(&t, NULL);
}

static int wait_poll(int ms)
{
    return poll(NULL, 0, ms);
}

static int wait_select(int ms)
{
    struct timeval t = {ms / 1000, ms % 1000 * 1000};

    return select(0, NULL, NULL, NULL, &t);
}

/* Sleeps out the whole time and counts how often it was woken too early. */
static int sleep_counted(int (*wait)(int ms), int ms)
{
    long long end = now_ns(CLOCK_MONOTONIC) + ms * 1000000LL, left;
    int broken = 0;

    while ((left = end - now_ns(CLOCK_MONOTONIC)) > 1000000)
        if (wait((int)(left / 1000000)) != 0 && errno == EINTR)
            broken++;
    return broken;
}

struct sleep_call {
    int ms, broken;
};

static void *sleep_unlocked(void *arg)
{
    struct sleep_call *call = arg;

    call->broken = sleep_counted(wait_nanosleep, call->ms);
    return NULL;
}

static VALUE busy_gvl(VALUE self, VALUE arg)
{
    int ms = NUM2INT(arg);

    (void)self;
    burn(&ms);
    return Qnil;
}

static VALUE busy_nogvl(VALUE self, VALUE arg)
{
    int ms = NUM2INT(arg);

    (void)self;
    rb_thread_call_without_gvl(burn, &ms, NULL, NULL);
    return Qnil;
}

static VALUE sleep_gvl(VALUE self, VALUE arg)
{
    (void)self;
    return INT2NUM(sleep_counted(wait_nanosleep, NUM2INT(arg)));
}

static VALUE sleep_nogvl(VALUE self, VALUE arg)
{
    struct sleep_call call = {NUM2INT(arg), 0};

    (void)self;
    rb_thread_call_without_gvl(sleep_unlocked, &call, NULL, NULL);
    return INT2NUM(call.broken);
}

static VALUE poll_gvl(VALUE self, VALUE arg)
{
    (void)self;
    return INT2NUM(sleep_counted(wait_poll, NUM2INT(arg)));
}

static VALUE select_gvl(VALUE self, VALUE arg)
{
    (void)self;
    return INT2NUM(sleep_counted(wait_select, NUM2INT(arg)));
}

void Init_probe(void);

void Init_probe(void)
{
    VALUE probe = rb_define_module("Probe");

    rb_define_module_function(probe, "busy_gvl", busy_gvl, 1);
    rb_define_module_function(probe, "busy_nogvl", busy_nogvl, 1);
    rb_define_module_function(probe, "sleep_gvl", sleep_gvl, 1);
    rb_define_module_function(probe, "sleep_nogvl", sleep_nogvl, 1);
    rb_define_module_function(probe, "poll", poll_gvl, 1);
    rb_define_module_function(probe, "select", select_gvl, 1);
}
