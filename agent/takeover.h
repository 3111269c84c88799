/*
 * takeover.h - the call by which we get into a Ruby that has no libruby.so.
 *
 * A shared libruby lets us stand before ruby_options, which the executable calls. In a static one that call cannot be taken, but the
 * executable still calls libc's getenv through its own table of addresses: we put ours there until the VM asks for RUBY_GC_...
 * (ruby.c: process_options calls ruby_gc_set_params always, after the VM is up and before RubyGems, Bundler and -r files).
 */
#ifndef RP_TAKEOVER_H
#define RP_TAKEOVER_H

/*
 * Calls start once, on the main thread, with the VM up. 0, or -1 when the executable's table was not found or cannot be changed.
 * ctx: constructor.
 */
int rp_takeover_static(void (*start)(void));

#endif
