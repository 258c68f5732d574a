/* The firmware at the start of memory, where the core begins; what it boots 4 MiB higher, as Linux
 * wants a kernel with Sv32 to be aligned to a superpage. Behind the payload and the memory that it
 * clears (payload_bytes is given to the linker) lie the device tree and the initial RAM disk, where
 * the kernel's linear mapping reaches them. */
#include "granule_map.h"

#define FIRMWARE_BYTES 0x20000 /* a power of two: one region of physical memory protection */
#define PAYLOAD        (GRANULE_LOWMEM_BASE + 0x400000)
#define PAGE           0x1000
#define TREE_BYTES     0x4000

OUTPUT_ARCH(riscv)
ENTRY(_start)

PHDRS {
    firmware PT_LOAD FLAGS(7);
    payload PT_LOAD FLAGS(7);
    initrd PT_LOAD FLAGS(4);
}

SECTIONS {
    . = GRANULE_RESET_PC;
    .text : {
        __firmware_start = .;
        KEEP(*(.text.start))
        *(.text .text.*)
        *(.rodata .rodata.* .srodata .srodata.*)
        . = ALIGN(8);
        __trees_start = .;
        *(.trees)
        __trees_end = .;
    } : firmware
    .data : {
        *(.data .data.* .sdata .sdata.*)
        . = ALIGN(64);
    } : firmware
    .bss (NOLOAD) : {
        __bss_start = .;
        *(.bss .bss.* .sbss .sbss.* COMMON)
        . = ALIGN(16);
        __bss_end = .;
        *(.stack)
    } : firmware
    __firmware_end = __firmware_start + FIRMWARE_BYTES;
    ASSERT(. <= __firmware_end, "the firmware is larger than FIRMWARE_BYTES: double it")

    . = PAYLOAD;
    .payload : {
        __payload_start = .;
        *(.payload)
    } : payload
    . = ALIGN(MAX(., PAYLOAD + payload_bytes), PAGE);
    __tree_copy = .;
    . += TREE_BYTES;
    __tree_copy_end = .;
    .initrd : {
        __initrd_start = .;
        *(.initrd)
        __initrd_end = .;
    } : initrd
    /DISCARD/ : { *(early_params .comment .note .note.* .eh_frame .riscv.attributes) }
}
