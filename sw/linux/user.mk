# The userland of Linux: /init, busybox, granule-stat and the self-tests, static programs with musl,
# packed as build/linux/initramfs.cpio.

USER_OUT := build/linux/user
# ziglang has a C compiler and musl; it builds musl for this target at its first use.
USER_ZIG := env ZIG_GLOBAL_CACHE_DIR=$(CURDIR)/build/zig ZIG_LOCAL_CACHE_DIR=$(CURDIR)/build/zig \
            $(CURDIR)/$(PY) -m ziglang
USER_CC  := $(USER_ZIG) cc -target riscv32-linux-musl -mcpu=generic_rv32+m+a
USER_FLAGS := -static -Os -s -std=gnu11 -fno-sanitize=all -Wall -Wextra -Werror -Wshadow \
              -Wstrict-prototypes -Wmissing-prototypes -Ibuild/include
USER_PROGRAMS := $(USER_OUT)/init $(USER_OUT)/granule-stat $(USER_OUT)/granule-test
USER_TESTS    := $(wildcard sw/linux/user/test/*.c)

BUSYBOX_VERSION := 1.35.0
BUSYBOX_ARCHIVE := busybox_$(BUSYBOX_VERSION).orig.tar.bz2
BUSYBOX_SHA256  := faeeb244c35a348a334f4a59e44626ee870fb07b6884d68c10ae8bc19f83a694
BUSYBOX         := $(USER_OUT)/busybox
BUSYBOX_CONFIG  := sw/linux/user/busybox.config

LINUX_PYTHON := .venv/.linux
$(LINUX_PYTHON): pyproject.toml | $(VENV)
	@echo "setup: the compiler of the userland into .venv"
	@.venv/bin/pip -q install $$(python3 -c "import tomllib; print(*tomllib.load( \
	  open('pyproject.toml','rb'))['dependency-groups']['linux'])")
	@touch $@

# user_program SOURCES
define user_program
	@mkdir -p $(@D)
	@echo "user: $@"
	@$(USER_CC) $(USER_FLAGS) -o $@ $(1)
endef

$(USER_OUT)/init: sw/linux/user/init.c $(INCLUDES) | $(LINUX_PYTHON)
	$(call user_program,$<)
$(USER_OUT)/granule-stat: sw/linux/user/granule_stat.c $(INCLUDES) | $(LINUX_PYTHON)
	$(call user_program,$<)
$(USER_OUT)/granule-test: $(USER_TESTS) $(wildcard sw/linux/user/test/*.h) | $(LINUX_PYTHON)
	$(call user_program,$(USER_TESTS))

$(BUSYBOX): $(BUSYBOX_CONFIG) $(addprefix sw/linux/user/,busybox.sh cc.sh fetch_source.sh) |\
  $(LINUX_PYTHON)
	@mkdir -p $(@D)
	@bash sw/linux/user/fetch_source.sh busybox $(BUSYBOX_ARCHIVE) $(BUSYBOX_SHA256) $(USER_OUT)
	@bash sw/linux/user/busybox.sh $(USER_OUT)/$(BUSYBOX_ARCHIVE) $(BUSYBOX_CONFIG) \
	  $(USER_OUT) $(JOBS) "$(USER_ZIG)"

# A link for every command of busybox stands behind our own files.
$(USER_OUT)/initramfs.list: sw/linux/user/initramfs.list $(BUSYBOX)
	@{ cat $<; sed 's|.*/\(.*\)|slink /bin/\1 busybox 0777 0 0|' $(USER_OUT)/busybox.links; } > $@

# The kernel's build makes the program that packs it; dates would make each archive another one.
$(LINUX_INITRAMFS): $(USER_OUT)/initramfs.list $(USER_PROGRAMS) $(BUSYBOX) $(LINUX_OUT)/Image
	@$(LINUX_OUT)/kernel/usr/gen_init_cpio -t 0 $< > $@.new
	@mv $@.new $@
	@echo "user: $@: $$(stat -c %s $@) bytes"

.PHONY: userland
userland: setup $(LINUX_INITRAMFS) ## the programs of Linux: build/linux/initramfs.cpio

# ---- the kernel's own self-tests -----------------------------------------------------------------
# sw/linux/user/README.md says why these. nolibc's are compiled with musl.
KSELFTESTS    := nolibc/nolibc-test vm/map_fixed_noreplace vm/mremap_dontunmap
KSELFTEST_OUT := $(USER_OUT)/kselftest
KSELFTEST_CPIO := $(LINUX_OUT)/kselftest.cpio
KSELFTEST_PROGRAMS := $(addprefix $(KSELFTEST_OUT)/,$(notdir $(KSELFTESTS)))

$(KSELFTEST_PROGRAMS): $(KSELFTEST_OUT)/%: $(LINUX_OUT)/Image | $(LINUX_PYTHON)
	@mkdir -p $(@D)
	@echo "user: $@"
	@$(USER_CC) -static -Os -s -w -D_GNU_SOURCE -Dgetdents64=getdents -o $@ \
	  $(LINUX_OUT)/source/tools/testing/selftests/$(filter %/$*,$(KSELFTESTS)).c

# in_initramfs FOLDER FILE...: their lines in a list. initramfs_with LINES [LIST]: the root file
# system and what is in these lines and in a file of such lines.
in_initramfs = $(subst \n ,\n,$(foreach file,$(2),file $(1)/$(notdir $(file)) $(file) 0755 0 0\n))
define initramfs_with
	@{ cat $(USER_OUT)/initramfs.list $(2); printf '$(1)'; } > $@.list
	@$(LINUX_OUT)/kernel/usr/gen_init_cpio -t 0 $@.list > $@.new
	@mv $@.new $@
endef

$(KSELFTEST_CPIO): $(LINUX_INITRAMFS) $(KSELFTEST_PROGRAMS) sw/linux/user/kselftest.sh
	$(call initramfs_with,dir /kselftest 0755 0 0\n$(strip \
	  )file /bin/kselftest sw/linux/user/kselftest.sh 0755 0 0\n$(strip \
	  )$(call in_initramfs,/kselftest,$(KSELFTEST_PROGRAMS)))
