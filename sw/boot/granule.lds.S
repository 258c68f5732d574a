/* Where the firmware lies: at the start of lowmem, one segment per kind of permission. Segments
 * start at multiples of the largest page, so that every granule can map them apart. */
#include "granule_map.h"

#ifdef GRANULE_FIXED_SHIFT
#define PAGE_SIZE_MAX (1 << GRANULE_FIXED_SHIFT)
#else
#define PAGE_SIZE_MAX 0x10000
#endif

/* Measured user code has sets of the instruction cache of its own: in each 4 KiB page, the smallest
 * way of a cache, the kernel code of every fault and fork ends where that of kernbench begins. Both
 * arms of an experiment then find their user code as they left it, wherever other code lies. The
 * seven pages and the user's fit into the micro TLB. */
#define HOT_PAGE         0x1000
#define MEASURED_USER    0xdc0
#define HOT_FILE(file)   *file.o(.text)
#define HOT_PAGE_END(n)  __hot_end_##n = .; . = ALIGN(HOT_PAGE);
#define HOT_PAGE_FITS(n) \
    ASSERT(((__hot_end_##n - 1) & (HOT_PAGE - 1)) < MEASURED_USER && \
           __hot_end_##n - __text_start <= (n) * HOT_PAGE + HOT_PAGE, \
           "hot page is too full: move one of its files to another one")

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
        HOT_FILE(mm/kmap_local.c)
        HOT_FILE(mm/tlb.c)
        HOT_FILE(drivers/mmu.c)
        HOT_PAGE_END(0)
        HOT_FILE(kernel/entry.S)
        HOT_FILE(kernel/task.c)
        HOT_FILE(kernel/uaccess.S)
        HOT_FILE(kernel/uaccess.c)
        HOT_PAGE_END(1)
        HOT_FILE(mm/fault.c)
        HOT_FILE(mm/pgtable.c)
        HOT_PAGE_END(2)
        HOT_FILE(mm/page_alloc.c)
        HOT_FILE(mm/highmem.c)
        HOT_FILE(lib/string.c)
        HOT_PAGE_END(3)
        HOT_FILE(kernel/syscall.c)
        HOT_FILE(mm/unmap.c)
        HOT_FILE(mm/context.c)
        HOT_PAGE_END(4)
        HOT_FILE(mm/fork.c)
        HOT_FILE(mm/free_tables.c)
        HOT_FILE(mm/pgalloc.c)
        HOT_PAGE_END(5)
        HOT_FILE(mm/mmap.c)
        HOT_FILE(mm/rmap.c)
        HOT_FILE(mm/geometry.c)
        HOT_PAGE_END(6)
        *(.text .text.*)
        . = ALIGN(64);
        __user_start = .; /* copied into the pages of every task */
        *(EXCLUDE_FILE(*user/kernbench.c.o) .user.text)
        . = __user_start + MEASURED_USER;
        *user/kernbench.c.o(.user.text)
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
        *(.data .data.* .sdata .sdata.*)
        . = ALIGN(64);
        *(.tohost)
        . = ALIGN(64);
        __data_end = .;
    } > lowmem : data

    .bss (NOLOAD) : {
        __bss_start = .;
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

    HOT_PAGE_FITS(0)
    HOT_PAGE_FITS(1)
    HOT_PAGE_FITS(2)
    HOT_PAGE_FITS(3)
    HOT_PAGE_FITS(4)
    HOT_PAGE_FITS(5)
    HOT_PAGE_FITS(6)
    ASSERT(__user_end - __user_start <= HOT_PAGE, "measured user code must end in its page")

    /* Nothing may run before main memory is up, and user code has no data of its own. */
    .user.data : { *(.user.rodata .user.data .user.bss) }
    ASSERT(SIZEOF(.user.data) == 0, "user code must not have data sections")
    /DISCARD/ : { *(.comment .note .note.* .eh_frame .riscv.attributes) }
}
