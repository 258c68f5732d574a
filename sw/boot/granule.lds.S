/* Where the firmware lies: at the start of lowmem, one segment per kind of permission. Segments
 * start at multiples of the largest page, so that every granule can map them apart. */
#include "granule_map.h"

#ifdef GRANULE_FIXED_SHIFT
#define PAGE_SIZE_MAX (1 << GRANULE_FIXED_SHIFT)
#else
#define PAGE_SIZE_MAX 0x10000
#endif

/* Where code and data lie in the sets of the caches is chance. `make figures` links the firmware
 * with other numbers here, and its objects in another order, to see what chance does. */
#define PLACE(symbol) . = . + (DEFINED(symbol) ? symbol : 0);

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
        PLACE(__place_text)
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
        . = ALIGN(4);
        __start_runtime_sites = .;
        KEEP(*(runtime_sites))
        __stop_runtime_sites = .;
    } > lowmem : rodata

    /* M-mode writes it before the kernel's tables map it read-only. */
    .ro_after_init : {
        __ro_after_init_start = .;
        *(.ro_after_init)
        . = ALIGN(4);
        __ro_after_init_end = .;
        . = ALIGN(PAGE_SIZE_MAX);
        __rodata_end = .;
    } > lowmem : rodata

    .data : {
        __data_start = .;
        PLACE(__place_data)
        *(.data .data.* .sdata .sdata.*)
        . = ALIGN(64);
        __data_end = .;
    } > lowmem : data

    /* The last page before the stack, of whatever size, is not mapped. */
    .guard (NOLOAD) : {
        . = ALIGN(PAGE_SIZE_MAX);
        . += PAGE_SIZE_MAX;
    } > lowmem : data

    .bss (NOLOAD) : {
        __bss_start = .;
        *(.stack)
        PLACE(__place_data)
        *(.bss .bss.* .sbss .sbss.* COMMON)
        . = ALIGN(16);
        __bss_end = .;
    } > lowmem : data

    /* What a restart keeps, and the initial values that it needs again (boot/start.S). */
    .kept (NOLOAD) : {
        __kept_start = .;
        *(.kept)
        . = ALIGN(16);
        __data_copy = .;
        . += SIZEOF(.data);
        __data_copy_end = .;
        . = ALIGN(16);
        __kept_end = .;
    } > lowmem : data

    __image_end = ALIGN(PAGE_SIZE_MAX);

    /* Nothing may run before main memory is up, and user code has no data of its own. */
    .user.data : { *(.user.rodata .user.data .user.bss) }
    ASSERT(SIZEOF(.user.data) == 0, "user code must not have data sections")
    /DISCARD/ : { *(.comment .note .note.* .eh_frame .riscv.attributes) }
}
