/*
 * vm.c - finds the VM's functions by name and asks it what differs by version. The only file that knows VM function names.
 */
#include "vm.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

struct rp_vm rp_vm;

struct symbol {
    const char *name;
    size_t offset;
    int required;
};

#define REQUIRED(field, symbol_name) {symbol_name, offsetof(struct rp_vm, field), 1}
#define OPTIONAL(field, symbol_name) {symbol_name, offsetof(struct rp_vm, field), 0}

static const struct symbol symbols[] = {
    REQUIRED(thread_current, "rb_thread_current"),
    REQUIRED(profile_frames, "rb_profile_frames"),
    REQUIRED(profile_frame_full_label, "rb_profile_frame_full_label"),
    REQUIRED(profile_frame_path, "rb_profile_frame_path"),
    REQUIRED(profile_frame_absolute_path, "rb_profile_frame_absolute_path"),
    REQUIRED(profile_frame_first_lineno, "rb_profile_frame_first_lineno"),
    REQUIRED(sourceline, "rb_sourceline"),
    REQUIRED(protect, "rb_protect"),
    REQUIRED(errinfo, "rb_errinfo"),
    REQUIRED(set_errinfo, "rb_set_errinfo"),
    REQUIRED(string_value_cstr, "rb_string_value_cstr"),
    REQUIRED(str_dump, "rb_str_dump"),
    REQUIRED(num2int, "rb_num2int"),
    REQUIRED(ary_new, "rb_ary_new"),
    REQUIRED(ary_entry, "rb_ary_entry"),
    REQUIRED(eval_string, "rb_eval_string"),
    REQUIRED(funcallv, "rb_funcallv"),
    REQUIRED(intern, "rb_intern"),
    REQUIRED(data_typed_object_wrap, "rb_data_typed_object_wrap"),
    REQUIRED(gc_register_address, "rb_gc_register_address"),
    REQUIRED(gc_mark, "rb_gc_mark"),
    REQUIRED(gc_writebarrier, "rb_gc_writebarrier"),
    REQUIRED(set_end_proc, "rb_set_end_proc"),
    REQUIRED(add_event_hook, "rb_add_event_hook"),
    REQUIRED(api_version, "ruby_api_version"),
    REQUIRED(description, "ruby_description"),
    OPTIONAL(postponed_job_preregister, "rb_postponed_job_preregister"),
    OPTIONAL(postponed_job_trigger, "rb_postponed_job_trigger"),
    OPTIONAL(postponed_job_register_one, "rb_postponed_job_register_one"),
    OPTIONAL(internal_thread_add_event_hook, "rb_internal_thread_add_event_hook"),
    OPTIONAL(internal_thread_specific_key_create, "rb_internal_thread_specific_key_create"),
    OPTIONAL(internal_thread_specific_get, "rb_internal_thread_specific_get"),
    OPTIONAL(internal_thread_specific_set, "rb_internal_thread_specific_set"),
};

enum rp_vm_kind rp_vm_detect(const void *own_ruby_options)
{
    if (dlsym(RTLD_NEXT, "ruby_options"))
        return RP_VM_SHARED;
    const void *first = dlsym(RTLD_DEFAULT, "ruby_options");
    return first && first != own_ruby_options ? RP_VM_STATIC : RP_VM_NONE;
}

void *rp_vm_next_ruby_options(void)
{
    return dlsym(RTLD_NEXT, "ruby_options");
}

int rp_vm_load(const char **missing)
{
    for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++) {
        void *address = dlsym(RTLD_DEFAULT, symbols[i].name);
        if (!address && symbols[i].required) {
            *missing = symbols[i].name;
            return -1;
        }
        memcpy((char *)&rp_vm + symbols[i].offset, &address, sizeof(address));
    }
    rp_vm.version = rp_vm.api_version[0] * 10000 + rp_vm.api_version[1] * 100;
    if (rp_vm.version < 30100) {
        *missing = "Ruby 3.1 or later";
        return -1;
    }
    if (!(rp_vm.postponed_job_preregister && rp_vm.postponed_job_trigger) &&
        !rp_vm.postponed_job_register_one) {
        *missing = "rb_postponed_job_trigger";
        return -1;
    }
    return 0;
}

void rp_vm_ask(void)
{
    /* Qnil is 8 up to 3.1 and 4 from 3.2 on (special_consts.h) */
    rp_vm.nil = rp_vm.ary_entry(rp_vm.ary_new(), 0);
}

int rp_vm_thread_events(void)
{
    if (!rp_vm.internal_thread_add_event_hook || rp_vm.version < 30200)
        return -1;
    return rp_vm.internal_thread_specific_key_create && rp_vm.internal_thread_specific_get &&
           rp_vm.internal_thread_specific_set && rp_vm.version >= 30300;
}

rp_value rp_vm_wrap(void *type, const char *name, void (*mark)(void *), void *ptr,
                    int write_barrier_protected)
{
    /*
     * rb_data_type_t: wrap_struct_name, function { dmark, dfree, dsize, dcompact, reserved... }, parent, data, flags. Up to 4.0
     * one reserved word; from 4.1 on handle_weak_references and seven (rtypeddata.h). A zeroed block as long as the longer one
     * is read right by both.
     */
    size_t flags_at = rp_vm.version >= 40100 ? 120 : 64;
    uintptr_t flags = write_barrier_protected ? 1u << 5 : 0; /* RUBY_TYPED_WB_PROTECTED */

    memset(type, 0, RP_VM_TYPE_BYTES);
    memcpy(type, &name, sizeof(name));
    memcpy((char *)type + 8, &mark, sizeof(mark));
    memcpy((char *)type + flags_at, &flags, sizeof(flags));
    return rp_vm.data_typed_object_wrap(0, ptr, type);
}

struct cstr_call {
    rp_value string;
    const char *bytes;
};

static rp_value cstr_body(rp_value arg)
{
    struct cstr_call *call = (struct cstr_call *)arg;
    call->bytes = rp_vm.string_value_cstr(&call->string);
    return rp_vm.nil;
}

static rp_value dump_body(rp_value arg)
{
    struct cstr_call *call = (struct cstr_call *)arg;
    call->string = rp_vm.str_dump(call->string);
    return cstr_body(arg);
}

const char *rp_vm_cstr(rp_value string)
{
    struct cstr_call call = {string, ""};
    int state = 0;

    if (string == rp_vm.nil)
        return "";
    rp_value error = rp_vm.errinfo();
    rp_vm.protect(cstr_body, (rp_value)&call, &state);
    if (state) { /* a NUL inside */
        rp_vm.set_errinfo(error);
        call.bytes = "";
        rp_vm.protect(dump_body, (rp_value)&call, &state);
        if (state) {
            rp_vm.set_errinfo(error);
            return "";
        }
    }
    return call.bytes;
}
