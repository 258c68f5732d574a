/* Addresses of the kernel's half and of lowmem as pointers, and back. On the machine a pointer is
 * its address. The host tests put their own file of this name before this one: there the 32-bit
 * address space of the machine is a window somewhere in that of the host. */
#ifndef KERNEL_ADDRESS_H
#define KERNEL_ADDRESS_H

#include "types.h"

static inline void *kernel_pointer(vaddr_t va)
{
    return (void *)(uintptr_t)va;
}

static inline vaddr_t kernel_va(const void *pointer)
{
    return (vaddr_t)(uintptr_t)pointer;
}

#endif
