# The firmware: build/sw/granule.elf, one binary for every granule and both simulators.

SW_CROSS ?= riscv64-unknown-elf- ## how the names of the firmware's compiler and linker begin
override SW_CROSS := $(strip $(SW_CROSS))
VARIABLES += SW_CROSS
SW_OUT     := build/sw
SW_FOLDERS := boot console drivers experiments fs kernel lib mm user
SW_SOURCES := $(sort $(foreach d,$(SW_FOLDERS),$(wildcard sw/$d/*.c) \
                $(filter-out %.lds.S,$(wildcard sw/$d/*.S))))
SW_ARCH    := -march=rv32ima_zicsr_zifencei -mabi=ilp32 -mcmodel=medany
SW_FLAGS   := $(SW_ARCH) -O2 -g -std=gnu11 -ffreestanding -nostdlib -fno-common -fno-pic \
              -fno-stack-protector -fno-strict-aliasing -fno-tree-loop-distribute-patterns \
              -fmacro-prefix-map=sw/= -fdebug-prefix-map=$(CURDIR)=. \
              -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wshadow \
              -Isw -Isw/include -Ibuild/include -DSW_TREES='"$(SW_OUT)-trees.dtb"'

# Images of the same sources (sw/lib/runtime_const.h). `boot` is the firmware; an image of one page
# size and the two other forms of a constant of the boot are what document 003 compares it with.
SW_OTHERS              := fixed-4k fixed-16k fixed-64k boot-hoisted boot-plain no-highpte
SW_DEFINE_hashed       := -DGRANULE_HASHED_TABLE
SW_DEFINE_fixed-4k     := -DGRANULE_FIXED_SHIFT=12
SW_DEFINE_fixed-16k    := -DGRANULE_FIXED_SHIFT=14
SW_DEFINE_fixed-64k    := -DGRANULE_FIXED_SHIFT=16
SW_DEFINE_boot-hoisted := -DGRANULE_HOISTED
SW_DEFINE_boot-plain   := -DGRANULE_PLAIN
SW_DEFINE_no-highpte   := -DGRANULE_NO_HIGHPTE

# Images for machines that have entries of 128 bits: `wide` chooses their size at boot, too.
SW_WIDE                := wide wide-4k wide-16k wide-64k
SW_DEFINE_wide         := -DGRANULE_ENTRY_CHOICE
SW_DEFINE_wide-4k      := -DGRANULE_ENTRY_SHIFT=4 -DGRANULE_FIXED_SHIFT=12
SW_DEFINE_wide-16k     := -DGRANULE_ENTRY_SHIFT=4 -DGRANULE_FIXED_SHIFT=14
SW_DEFINE_wide-64k     := -DGRANULE_ENTRY_SHIFT=4 -DGRANULE_FIXED_SHIFT=16

# The device trees of the machines that the firmware is made for.
SW_TREES := $(SW_OUT)-trees.dtb
$(SW_TREES): $(INCLUDES)
	@for machine in teaching ulx3s; do \
	  dtc -q -a 8 -O dtb build/include/granule_$$machine.dts || exit 1; done > $@.new
	@mv $@.new $@

# User programs are copied into task pages: no data sections, hence no jump tables.
SW_USER := -fno-jump-tables -fno-tree-switch-conversion

.PHONY: firmware images wide
firmware: $(SW_OUT)/granule.elf ## the firmware, build/sw/granule.elf
images: firmware $(SW_OTHERS:%=$(SW_OUT)-%/granule.elf) ## images of one page size, build/sw-fixed-*
wide: ## simulator and images of a machine with table entries of 128 bits, build/sw-wide*
wide: build/granule-sim-wide $(SW_WIDE:%=$(SW_OUT)-%/granule.elf)

# image NAME FOLDER
define sw_image
$(2)/granule.elf: $$(SW_SOURCES:sw/%=$(2)/%.o) $(2)/granule.lds
	@echo "firmware: linking $$@"
	@$$(SW_CROSS)gcc -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--fatal-warnings \
	  -Wl,--no-warn-rwx-segments -T $(2)/granule.lds -o $$@ $$(filter %.o,$$^) -lgcc

$(2)/granule.lds: sw/boot/granule.lds.S $$(INCLUDES)
	@mkdir -p $$(@D)
	@$$(SW_CROSS)cpp -P -Ibuild/include $$(SW_DEFINE_$(1)) $$< -o $$@

$(2)/%.o: sw/% $$(INCLUDES)
	@mkdir -p $$(@D)
	@$$(SW_CROSS)gcc $$(SW_FLAGS) $$(SW_DEFINE_$(1)) $$(if $$(filter user/%.c,$$*),$$(SW_USER)) \
	  -MMD -MP -c $$< -o $$@

$(2)/boot/trees.S.o: $(SW_TREES)

-include $$(SW_SOURCES:sw/%=$(2)/%.d)
endef
$(eval $(call sw_image,boot,$(SW_OUT)))
$(foreach i,$(SW_OTHERS) hashed $(SW_WIDE),$(eval $(call sw_image,$(i),$(SW_OUT)-$(i))))

.PHONY: fuzz-mm
fuzz-mm: setup ## random operations on sw/mm on the host: FUZZ_STEPS at each granule
	@$(PY) tb/tools/run.py fuzz-mm --steps $(FUZZ_STEPS) --jobs $(JOBS) \
	  $(addprefix --seed ,$(filter-out random,$(SEED)))
