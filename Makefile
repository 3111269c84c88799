# rperf - see README.md. Quiet by default; V=1 shows the commands, DEBUG=1 builds -O0 -g3, SAN=address,undefined|thread adds a sanitizer,
# O=dir builds elsewhere.
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
COMMON_OBJ := $(O)/agent/options.o $(O)/agent/session.o
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

$(O)/agent/%.o: ALL_CFLAGS += $(RUBY_CFLAGS)

$(O)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -c -o $@ $<

# A unit test is one Check program: tests/unit/test_X.c, linked with all that needs no VM.
$(O)/tests/unit/%: $(O)/tests/unit/%.o $(ENC_OBJ) $(COMMON_OBJ)
	$(call say,LINK,$@)
	$(Q)$(CC) $(if $(SAN),-fsanitize=$(SAN)) -o $@ $^ $$(pkg-config --libs check) -lz $(LDFLAGS)

unit: $(UNIT)
	$(Q)for t in $^; do $$t || exit 1; done

clean:
	rm -rf $(O)

.PHONY: all unit clean
.SECONDARY:
-include $(shell find $(O) -name '*.d' 2>/dev/null)
