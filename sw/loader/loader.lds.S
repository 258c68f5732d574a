/* Everything of the loader lies in the boot memory, the stack at its end. There is no .data: after
 * a reset the image is what the bitstream brought. */
#include "granule_map.h"

#define BOOT_BYTES 0x2000

ENTRY(_start)
SECTIONS {
    . = GRANULE_BOOT_BASE;
    .text : {
        KEEP(*(.text.start))
        *(.text .text.* .rodata .rodata.* .srodata .srodata.*)
        . = ALIGN(4);
    }
    .data : { *(.data .data.* .sdata .sdata.*) }
    ASSERT(SIZEOF(.data) == 0, "the loader must not have initialised variables")
    .bss (NOLOAD) : {
        __bss_start = .;
        *(.bss .bss.* .sbss .sbss.* COMMON)
        . = ALIGN(16);
        __bss_end = .;
    }
    __stack_top = GRANULE_BOOT_BASE + BOOT_BYTES;
    ASSERT(__bss_end + 1024 <= __stack_top, "the loader leaves less than 1 KiB of stack")
    /DISCARD/ : { *(.comment .note .note.* .eh_frame .riscv.attributes) }
}
