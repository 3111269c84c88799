/*
 * vm.h - the Ruby VM as this agent sees it: one table of functions found by dlsym, and what differs by version.
 *
 * vm.c is the only file that spells names of VM functions; everybody else calls through rp_vm. No Ruby symbol is linked and no
 * object layout is known but these, which are ABI: rb_data_type_t (its fields move in 4.1: rtypeddata.h), the event flags
 * (ruby/internal/event.h, ruby/thread.h) and the flag bit of write barrier protection.
 */
#ifndef RP_VM_H
#define RP_VM_H

#include <stdint.h>

typedef uintptr_t rp_value; /* a VALUE */
typedef uintptr_t rp_id;    /* an ID */

/* rb_add_event_hook (event.h) */
#define RP_EVENT_THREAD_BEGIN 0x0400u
#define RP_EVENT_THREAD_END   0x0800u
#define RP_EVENT_GC_START     0x0400000u
#define RP_EVENT_GC_END_MARK  0x0800000u
#define RP_EVENT_GC_END_SWEEP 0x1000000u
#define RP_EVENT_GC_ENTER     0x2000000u
#define RP_EVENT_GC_EXIT      0x4000000u

/* rb_internal_thread_add_event_hook (thread.h, 3.2 on; the thread in the data from 3.3 on) */
#define RP_THREAD_STARTED   0x01u
#define RP_THREAD_READY     0x02u
#define RP_THREAD_RESUMED   0x04u
#define RP_THREAD_SUSPENDED 0x08u
#define RP_THREAD_EXITED    0x10u

struct rp_thread_event {
    rp_value thread;
};

struct rp_vm {
    /* required */
    rp_value (*thread_current)(void);
    int (*profile_frames)(int start, int limit, rp_value *frames, int *lines);
    rp_value (*profile_frame_full_label)(rp_value frame);
    rp_value (*profile_frame_path)(rp_value frame);
    rp_value (*profile_frame_absolute_path)(rp_value frame);
    rp_value (*profile_frame_first_lineno)(rp_value frame);
    int (*sourceline)(void);
    rp_value (*protect)(rp_value (*func)(rp_value), rp_value arg, int *state);
    rp_value (*errinfo)(void);
    void (*set_errinfo)(rp_value error);
    char *(*string_value_cstr)(volatile rp_value *string);
    rp_value (*str_dump)(rp_value string);
    int (*num2int)(rp_value number);
    rp_value (*ary_new)(void);
    rp_value (*ary_entry)(rp_value array, long index);
    rp_value (*eval_string)(const char *source);
    rp_value (*funcallv)(rp_value receiver, rp_id method, int argc, const rp_value *argv);
    rp_id (*intern)(const char *name);
    rp_value (*data_typed_object_wrap)(rp_value klass, void *data, const void *type);
    void (*gc_register_address)(rp_value *address);
    void (*gc_mark)(rp_value object);
    void (*gc_writebarrier)(rp_value parent, rp_value child);
    void (*set_end_proc)(void (*func)(rp_value), rp_value data);
    void (*add_event_hook)(void (*func)(uint32_t event, rp_value data, rp_value self, rp_id method, rp_value klass),
                           uint32_t events, rp_value data);
    const int *api_version;
    const char *description;

    /* one of these two */
    unsigned (*postponed_job_preregister)(unsigned flags, void (*func)(void *), void *data);
    void (*postponed_job_trigger)(unsigned handle);
    int (*postponed_job_register_one)(unsigned flags, void (*func)(void *), void *data);

    /* optional: what is missing switches a feature off (rp_vm_missing names it) */
    void *(*internal_thread_add_event_hook)(void (*func)(uint32_t event, const struct rp_thread_event *event_data, void *data),
                                            uint32_t events, void *data);
    int (*internal_thread_specific_key_create)(void);
    void *(*internal_thread_specific_get)(rp_value thread, int key);
    void (*internal_thread_specific_set)(rp_value thread, int key, void *data);

    /* asked of the VM at start */
    int version; /* major * 10000 + minor * 100, e.g. 30400 */
    rp_value nil;
};

extern struct rp_vm rp_vm;

/*
 * Is a Ruby VM linked into this process, and how? Cheap (two look-ups); ctx: constructor.
 */
enum rp_vm_kind { RP_VM_NONE, RP_VM_SHARED, RP_VM_STATIC };
enum rp_vm_kind rp_vm_detect(const void *own_ruby_options);
/* The ruby_options that ours stands before (shared libruby). */
void *rp_vm_next_ruby_options(void);

/*
 * Fills the table. 0; -1 when a required function is missing or the version is outside what we know: *missing names it.
 * ctx: any thread, no VM call is made.
 */
int rp_vm_load(const char **missing);
/* Asks the VM for what differs by version. ctx: GVL held, VM up. */
void rp_vm_ask(void);

/* 1 when thread events name their thread (3.3 on); 0 when they do not (3.2); -1 when there are none (3.1). */
int rp_vm_thread_events(void);

/*
 * A hidden object that owns ptr and marks through mark(ptr); protected: the object promises write barriers. The type is kept
 * for good (type must be static, RP_VM_TYPE_BYTES long). ctx: GVL held, under rb_protect; allocates.
 */
#define RP_VM_TYPE_BYTES 128
rp_value rp_vm_wrap(void *type, const char *name, void (*mark)(void *), void *ptr, int write_barrier_protected);

/*
 * Bytes of a string for reading at once (valid until the next VM call); "" for nil or what cannot be read. Strings with NULs
 * come dumped. ctx: GVL held; may allocate.
 */
const char *rp_vm_cstr(rp_value string);

#endif
