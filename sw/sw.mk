# The firmware: build/sw/granule.elf, one binary for every granule and both simulators.

SW_CROSS   ?= riscv64-unknown-elf-
SW_OUT     := build/sw
SW_FOLDERS := boot console drivers experiments kernel lib mm user
SW_SOURCES := $(sort $(foreach d,$(SW_FOLDERS),$(wildcard sw/$d/*.c) \
                $(filter-out %.lds.S,$(wildcard sw/$d/*.S))))
SW_OBJECTS := $(addsuffix .o,$(SW_SOURCES:sw/%=$(SW_OUT)/%))
SW_ARCH    := -march=rv32ima_zicsr_zifencei -mabi=ilp32 -mcmodel=medany
SW_FLAGS   := $(SW_ARCH) -O2 -g -std=gnu11 -ffreestanding -nostdlib -fno-common -fno-pic \
              -fno-stack-protector -fno-strict-aliasing -fno-tree-loop-distribute-patterns -fmacro-prefix-map=sw/= \
              -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wshadow \
              -Isw -Isw/include -Ibuild/include $(SW_EXTRA)

.PHONY: firmware
firmware: $(SW_OUT)/granule.elf ## the firmware, build/sw/granule.elf

$(SW_OUT)/granule.elf: $(SW_OBJECTS) $(SW_OUT)/granule.lds
	@$(SW_CROSS)gcc -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--fatal-warnings \
	  -Wl,--no-warn-rwx-segments -T $(SW_OUT)/granule.lds -o $@ $(SW_OBJECTS) -lgcc
	@$(SW_CROSS)size $@

$(SW_OUT)/granule.lds: sw/boot/granule.lds.S $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)cpp -P -Ibuild/include $< -o $@

# User programs are copied into task pages: no data sections, hence no jump tables.
$(SW_OUT)/user/%.c.o: SW_EXTRA := -fno-jump-tables -fno-tree-switch-conversion

$(SW_OUT)/%.c.o: sw/%.c $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)gcc $(SW_FLAGS) -MMD -MP -c $< -o $@

$(SW_OUT)/%.S.o: sw/%.S $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)gcc $(SW_FLAGS) -MMD -MP -c $< -o $@

-include $(SW_OBJECTS:.o=.d)
