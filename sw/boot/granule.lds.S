/* Where the firmware lies: at the start of lowmem, one segment per kind of permission. Segments
 * start at multiples of the largest page, so that every granule can map them apart. */
#include "granule_map.h"

#define PAGE_SIZE_MAX 0x10000

OUTPUT_ARCH(riscv)
ENTRY(_start)

MEMORY {
    lowmem (rwx) : ORIGIN = GRANULE_LOWMEM_BASE, LENGTH = GRANULE_LOWMEM_SIZE
}

PHDRS {
    text PT_LOAD FLAGS(5);
    rodata PT_LOAD FLAGS(4);
    data PT_LOAD FLAGS(6);
}

SECTIONS {
    .text : {
        __text_start = .;
        KEEP(*(.text.start))
        *(.text .text.*)
        . = ALIGN(64);
        __user_start = .; /* copied into the pages of every task */
        *(.user.text)
        . = ALIGN(64);
        __user_end = .;
        . = ALIGN(PAGE_SIZE_MAX);
        __text_end = .;
    } > lowmem : text

    .rodata : {
        *(.rodata .rodata.* .srodata .srodata.*)
        . = ALIGN(8);
        __start_early_params = .;
        KEEP(*(early_params))
        __stop_early_params = .;
        __start_experiments = .;
        KEEP(*(SORT(experiments.*)))
        __stop_experiments = .;
        . = ALIGN(PAGE_SIZE_MAX);
        __rodata_end = .;
    } > lowmem : rodata

    .data : {
        *(.data .data.* .sdata .sdata.*)
        . = ALIGN(64);
        *(.tohost)
        . = ALIGN(64);
    } > lowmem : data

    .bss (NOLOAD) : {
        __bss_start = .;
        *(.bss .bss.* .sbss .sbss.* COMMON)
        . = ALIGN(16);
        __bss_end = .;
    } > lowmem : data

    __image_end = ALIGN(PAGE_SIZE_MAX);

    /* Nothing may run before main memory is up, and user code has no data of its own. */
    .user.data : { *(.user.rodata .user.data .user.bss) }
    ASSERT(SIZEOF(.user.data) == 0, "user code must not have data sections")
    /DISCARD/ : { *(.comment .note .note.* .eh_frame .riscv.attributes) }
}
