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
        /* What every fault and fork runs lies together, so that it fits into a small cache. */
        *kernel/entry.S.o(.text)
        *kernel/task.c.o(.text)
        *mm/fault.c.o(.text)
        *mm/pgtable.c.o(.text)
        *mm/kmap_local.c.o(.text)
        *mm/tlb.c.o(.text)
        *mm/tlbi_operand.c.o(.text)
        *drivers/mmu.c.o(.text)
        *mm/page_alloc.c.o(.text)
        *mm/highmem.c.o(.text)
        *lib/string.c.o(.text)
        *kernel/syscall.c.o(.text)
        *mm/mmap.c.o(.text)
        *mm/unmap.c.o(.text)
        *mm/fork.c.o(.text)
        *mm/pgalloc.c.o(.text)
        *mm/free_tables.c.o(.text)
        *mm/context.c.o(.text)
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
