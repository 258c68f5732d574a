/* Where the driver lies: at the start of lowmem, where a board's loader puts programs. */
#include "granule_map.h"

OUTPUT_ARCH(riscv)
ENTRY(_start)

MEMORY {
    lowmem (rwx) : ORIGIN = GRANULE_LOWMEM_BASE, LENGTH = GRANULE_LOWMEM_SIZE
}

SECTIONS {
    .text : { KEEP(*(.text.start)) *(.text .text.*) } > lowmem
    .rodata : {
        *(.rodata .rodata.* .srodata .srodata.*)
        . = ALIGN(4);
        __start_early_params = .;
        KEEP(*(early_params))
        __stop_early_params = .;
    } > lowmem
    .data : { *(.data .data.* .sdata .sdata.*) } > lowmem
    .bss (NOLOAD) : ALIGN(16) {
        __bss_start = .;
        *(.sbss .sbss.* .bss .bss.* COMMON)
        . = ALIGN(16);
        __bss_end = .;
        . += 8K;
        stack_top = .;
    } > lowmem
    image_end = .;
    /DISCARD/ : { *(.comment .note .note.* .eh_frame .riscv.attributes) }
}
