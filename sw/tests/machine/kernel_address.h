/* Instead of include/kernel_address.h: the machine's 32-bit kernel addresses begin at KERNEL_BASE
 * of the host. Its lower 32 bits are 0, so a pointer's lower half is the machine's address. */
#ifndef KERNEL_ADDRESS_H
#define KERNEL_ADDRESS_H

#include "types.h"

#define KERNEL_BASE 0x200000000000ull

static inline void *kernel_pointer(vaddr_t va)
{
    return (void *)(uintptr_t)(KERNEL_BASE + va);
}

static inline vaddr_t kernel_va(const void *pointer)
{
    return (vaddr_t)(uintptr_t)pointer;
}

#endif
