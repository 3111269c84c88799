# rperf - see README.md, and "make help" for what can be made. Quiet by default.
.DEFAULT_GOAL := all
O ?= build
CC ?= gcc
PREFIX ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

Q := $(if $(V),,@)
say = $(if $(V),@:,@printf '  %-7s %s\n' $(1) $(2))

RUBY_FOR_HEADERS ?= ruby
RUBY_CFLAGS := $(shell $(RUBY_FOR_HEADERS) -rrbconfig -e 'c = RbConfig::CONFIG; puts "-isystem #{c["rubyhdrdir"]} -isystem #{c["rubyarchhdrdir"]}"' 2>/dev/null)
HAVE_LIBUNWIND := $(shell printf '\043include <libunwind.h>\nint main(void){return 0;}' | $(CC) -x c - -o /dev/null -lunwind 2>/dev/null && echo 1)

OPT := $(if $(DEBUG),-O0 -g3,-O2 -g)
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-command-line-argument
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -DRP_VERSION='"$(VERSION)"' $(if $(HAVE_LIBUNWIND),-DHAVE_LIBUNWIND) \
    $(OPT) $(WARN) -fPIC -fvisibility=hidden $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer) -MMD -MP $(CFLAGS)
LD_HARDEN := -Wl,-z,relro,-z,now

ENC_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard encoders/*.c))
# of agent/, what the launcher shares
COMMON_OBJ := $(addprefix $(O)/agent/,options.o session.o output.o harvest.o)
AGENT_OBJ := $(filter-out $(COMMON_OBJ),$(patsubst %.c,$(O)/%.o,$(wildcard agent/*.c)))
LAUNCHER_OBJ := $(patsubst %.c,$(O)/%.o,$(wildcard launcher/*.c))
UNIT := $(patsubst tests/unit/%.c,$(O)/tests/unit/%,$(wildcard tests/unit/test_*.c))

all: $(O)/librperf.so $(O)/rperf-run

$(O)/librperf.so: $(ENC_OBJ) $(COMMON_OBJ) $(AGENT_OBJ) agent/librperf.map
	$(call say,LINK,$@)
	$(Q)$(CC) -shared $(if $(SAN),-fsanitize=$(SAN)) -Wl,--version-script=agent/librperf.map $(LD_HARDEN) -Wl,--no-undefined \
	    -o $@ $(filter %.o,$^) -lz -lpthread -ldl -lrt $(LDFLAGS)

$(O)/rperf-run: $(LAUNCHER_OBJ) $(ENC_OBJ) $(COMMON_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(if $(SAN),-fsanitize=$(SAN)) $(LD_HARDEN) -pie -o $@ $^ -lz $(LDFLAGS)

$(O)/rperf-run.1: $(O)/rperf-run
	$(call say,MAN,$@)
	$(Q)$< --man > $@

$(O)/agent/%.o: ALL_CFLAGS += $(RUBY_CFLAGS)
$(O)/launcher/%.o: ALL_CFLAGS += -DRP_LIBDIR='"$(PREFIX)/lib"'

$(O)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# A unit test is one Check program: tests/unit/test_X.c, linked with all that needs no VM.
$(O)/tests/unit/%: $(O)/tests/unit/%.o $(ENC_OBJ) $(COMMON_OBJ) $(filter-out %/main.o,$(LAUNCHER_OBJ))
	$(call say,LINK,$@)
	$(Q)$(CC) $(if $(SAN),-fsanitize=$(SAN)) -o $@ $^ $$(pkg-config --libs check) -lz $(LDFLAGS)

unit: $(UNIT)
	$(Q)for t in $^; do $$t || exit 1; done

# The same units (encoders, store, what agent and launcher share) and the launcher's end-to-end
# tests under sanitizers. The library is the plain one: it runs inside of a plain Ruby.
test-san: all
	$(Q)$(MAKE) O=$(O)/san SAN=address,undefined unit $(O)/san/rperf-run
	$(Q)cp $(O)/librperf.so $(O)/san/librperf.so
	$(Q)ASAN_OPTIONS=verify_asan_link_order=0 O=$(O)/san tests/e2e/run -r system launcher files

# Readers of a store beside its writer under ThreadSanitizer, where that runs at all (it needs its own address layout).
test-tsan:
	$(Q)mkdir -p $(O)/tsan
	$(Q)echo 'int main(void) { return 0; }' | $(CC) -x c -fsanitize=thread -o $(O)/tsan/probe - && $(O)/tsan/probe || \
	    { echo 'ThreadSanitizer does not run here: test-tsan left out'; exit 0; }; \
	    $(MAKE) O=$(O)/tsan SAN=thread $(O)/tsan/tests/unit/test_store_live && \
	    TSAN_OPTIONS=halt_on_error=1 $(O)/tsan/tests/unit/test_store_live

# test_store_limits bounds its own process (RLIMIT_FSIZE, a full disk): it needs the fork that valgrind does without, and
# test_store_live counts on threads that run at the same time.
test-valgrind: $(filter-out %/test_store_limits %/test_store_live,$(UNIT))
	$(Q)for t in $^; do CK_FORK=no CK_DEFAULT_TIMEOUT=0 valgrind -q --error-exitcode=9 \
	    --leak-check=full --errors-for-leak-kinds=definite $$t || exit 1; done

# Readers of files against any bytes: see tests/fuzz/README.md.
FUZZ ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_RUNS ?= 20000

fuzz:
	$(Q)$(MAKE) O=$(O)/fuzz CC=clang SAN=fuzzer-no-link,address,undefined CFLAGS=-fno-sanitize-recover=all \
	    $(patsubst %,$(O)/fuzz/fuzz_%,$(FUZZ))
	$(Q)for f in $(FUZZ); do tests/fuzz/run $(O)/fuzz $$f $(FUZZ_RUNS) || exit 1; done

$(O)/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(ENC_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined -o $@ $^ -lz $(LDFLAGS)

# The other compiler only has to be content.
test-clang:
	$(Q)$(MAKE) O=$(O)/clang CC=clang all

e2e: all
	$(Q)O=$(O) RUBIES="$(RUBIES)" tests/e2e/run $(E2E)

rubies:
	$(Q)CC=$(CC) tests/rubies/setup

deps: deps-test rubies

deps-test:
	$(Q)tests/deps test

deps-demo:
	$(Q)tests/deps demo

# What was not there when this make began (headers, libraries, flags of the Ruby) is there for a
# second one.
test: deps
	$(Q)$(MAKE) test-all

test-all: all
	$(Q)$(MAKE) unit check-layers test-clang fuzz test-tsan test-valgrind e2e test-san

demo: deps-demo
	$(Q)$(MAKE) all
	$(Q)$(O)/rperf-run -p ruby tests/apps/order_report.rb

check-layers:
	$(Q)tests/check-layers

SOURCES = $(wildcard encoders/*.[ch] agent/*.[ch] launcher/*.[ch] tests/*/*.[ch])

format:
	$(Q)clang-format -i $(SOURCES)

format-check:
	$(Q)clang-format --dry-run -Werror $(SOURCES)

MAN := rperf-run.1

install: all $(O)/rperf-run.1
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/share/man/man1
	$(Q)install -m 755 $(O)/rperf-run $(DESTDIR)$(PREFIX)/bin/rperf-run
	$(Q)install -m 755 $(O)/librperf.so $(DESTDIR)$(PREFIX)/lib/librperf.so
	$(Q)for page in $(MAN); do install -m 644 $(O)/$$page $(DESTDIR)$(PREFIX)/share/man/man1/; done

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/rperf-run $(DESTDIR)$(PREFIX)/lib/librperf.so
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(MAN))

clean:
	rm -rf $(O)

help:
	@echo 'make               builds $(O)/librperf.so and $(O)/rperf-run'
	@echo 'make demo          set-up for that, then profiles tests/apps/order_report.rb'
	@echo 'make test          the whole set-up and all tests; RUBIES="/path/ruby ..." adds Rubies'
	@echo 'make deps          the set-up: packages (as root) and the Rubies of the matrix'
	@echo 'make unit          unit tests'
	@echo 'make e2e           end-to-end tests; E2E="-r system wall" picks (see tests/e2e/run)'
	@echo 'make test-san      unit tests and launcher under AddressSanitizer and UBSan'
	@echo 'make test-tsan     readers of a store beside its writer under ThreadSanitizer'
	@echo 'make test-valgrind unit tests under valgrind'
	@echo 'make test-clang    a build by clang'
	@echo 'make fuzz          readers of files against any bytes; FUZZ=store FUZZ_RUNS=1000000 (tests/fuzz/README.md)'
	@echo 'make check-layers  who may include whom; format, format-check: clang-format'
	@echo 'make install       into PREFIX=$(PREFIX), below DESTDIR; uninstall takes it away'
	@echo 'make clean         removes $(O)'
	@echo
	@echo 'V=1 shows commands, DEBUG=1 builds -O0 -g3, SAN=address,undefined or SAN=thread adds a'
	@echo 'sanitizer, O=DIR builds elsewhere, CC=clang uses another compiler.'

.PHONY: all unit test test-all test-san test-tsan test-valgrind test-clang fuzz e2e rubies deps deps-test deps-demo
.PHONY: demo check-layers format format-check install uninstall clean help
.SECONDARY:
-include $(shell find $(O) -name '*.d' 2>/dev/null)
