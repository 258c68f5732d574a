# The small driver: build/sw/driver.elf. It shares the console with the firmware, and nothing else.

DRIVER := $(SW_OUT)/driver.elf
DRIVER_SOURCES := $(wildcard sw/driver/*.c) sw/driver/start.S sw/console/output.c \
                  sw/drivers/sysinfo.c sw/drivers/timer.c sw/drivers/uart.c \
                  sw/lib/bootargs.c sw/lib/printf.c sw/lib/string.c
# Not in build/sw: `make figures` links all objects that lie there.
DRIVER_OUT := build/sw-driver
$(DRIVER): $(DRIVER_SOURCES:sw/%=$(DRIVER_OUT)/%.o) $(SW_OUT)/driver.lds
	@echo "driver: linking $@"
	@$(SW_CROSS)gcc -march=rv32im -mabi=ilp32 -nostdlib -static -Wl,--fatal-warnings \
	  -Wl,--no-warn-rwx-segments -T $(SW_OUT)/driver.lds -o $@ $(filter %.o,$^) -lgcc
-include $(DRIVER_SOURCES:sw/%=$(DRIVER_OUT)/%.d)

$(DRIVER_OUT)/%.o: sw/% $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)gcc $(SW_FLAGS) -MMD -MP -c $< -o $@

$(SW_OUT)/driver.lds: sw/driver/driver.lds.S $(INCLUDES)
	@mkdir -p $(@D)
	@$(SW_CROSS)cpp -P -Ibuild/include $< -o $@

.PHONY: driver
driver: ## [start, seconds] sw/driver at three granules: tables, TLB, colours
driver: setup build/granule-sim-ulx3s $(DRIVER)
	@build/granule-sim-ulx3s $(DRIVER)
