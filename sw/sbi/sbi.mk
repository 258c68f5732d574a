# The machine-mode firmware, and images of it with what it boots.

SBI_OUT     := build/sbi
SBI_SOURCES := $(filter-out sw/sbi/payload.S %.lds.S,$(wildcard sw/sbi/*.c sw/sbi/*.S)) \
               sw/console/output.c sw/lib/printf.c sw/lib/string.c sw/lib/fdt.c \
               sw/drivers/finisher.c sw/drivers/uart.c sw/drivers/sysinfo.c sw/drivers/timer.c
SBI_OBJECTS := $(SBI_SOURCES:sw/%=$(SBI_OUT)/%.o)
SBI_LINK    := -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--fatal-warnings \
               -Wl,--no-warn-rwx-segments

$(SBI_OUT)/%.o: sw/% $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)gcc $(SW_FLAGS) -MMD -MP -c $< -o $@
-include $(SBI_SOURCES:sw/%=$(SBI_OUT)/%.d)

$(SBI_OUT)/sbi.lds: sw/sbi/sbi.lds.S $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)cpp -P -Ibuild/include $< -o $@

# The device trees of all machines, one behind the other.
$(SBI_OUT)/trees.dtb: $(INCLUDES)
	@mkdir -p $(@D)
	@for tree in build/include/granule_*.dts; do dtc -q -a 8 -O dtb "$$tree" || exit 1; done > $@.new
	@mv $@.new $@

SBI_READY := $(SBI_OBJECTS) $(SBI_OUT)/sbi.lds $(SBI_OUT)/trees.dtb
.PHONY: sbi
sbi: $(SBI_READY) ## the machine-mode firmware, ready to be linked with a program for S-mode

# sbi_image ELF PAYLOAD PAYLOAD_BYTES [INITRD]: links the firmware with what it boots;
# PAYLOAD_BYTES is what the payload takes of memory, with what it clears.
define sbi_image
	@$(SW_CROSS)gcc $(SBI_LINK) -T $(SBI_OUT)/sbi.lds -Wl,--defsym=payload_bytes=$(3) \
	  -DSBI_PAYLOAD='"$(2)"' -DSBI_TREES='"$(SBI_OUT)/trees.dtb"' \
	  $(if $(strip $(4)),-DSBI_INITRD='"$(strip $(4))"') \
	  -o $(1) $(SBI_OBJECTS) sw/sbi/payload.S -lgcc
endef

# Programs of tb/system/sbi; they are small and clear nothing beyond themselves.
$(SBI_OUT)/boot-%.elf: $(SBI_OUT)/%.payload $(SBI_READY) sw/sbi/payload.S
	$(call sbi_image,$@,$<,0x10000)
