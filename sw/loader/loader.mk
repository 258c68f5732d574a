# The loader in a board's boot memory.

LOADER_SOURCES := sw/loader/start.S $(wildcard sw/loader/*.c)
LOADER_FLAGS := -march=rv32ima_zicsr_zifencei -mabi=ilp32 -Os -ffreestanding -nostdlib \
                -Wl,--no-warn-rwx-segments \
  -Wall -Wextra -Werror -msmall-data-limit=0 -Ibuild/include
build/sw/loader.bin: $(LOADER_SOURCES) $(wildcard sw/loader/*.h) sw/loader/loader.lds.S $(INCLUDES)
	@echo "loader: building build/sw/loader.bin"
	@mkdir -p build/sw
	@$(SW_CROSS)cpp -P -Ibuild/include sw/loader/loader.lds.S -o build/sw/loader.lds
	@$(SW_CROSS)gcc $(LOADER_FLAGS) -T build/sw/loader.lds -o build/sw/loader.elf \
	  $(LOADER_SOURCES) -lgcc
	@$(SW_CROSS)objcopy -O binary build/sw/loader.elf $@
