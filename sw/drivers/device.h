/* Access to device registers by physical address.
 *
 * Devices lie in the lower half, which belongs to user mappings once the MMU is on. The kernel sees
 * them DEVICE_OFFSET higher; M-mode, which is never translated, at their own address.
 */
#ifndef DRIVERS_DEVICE_H
#define DRIVERS_DEVICE_H

#include "types.h"

#define DEVICE_OFFSET 0xe8000000u

extern u32 device_offset; /* 0 or DEVICE_OFFSET */

static inline u32 device_read(u32 pa)
{
    return *(volatile u32 *)(uintptr_t)(pa + device_offset);
}

static inline void device_write(u32 pa, u32 value)
{
    *(volatile u32 *)(uintptr_t)(pa + device_offset) = value;
}

/* Pairs of words: the write to HI commits both. */
static inline u64 device_read64(u32 pa)
{
    return device_read(pa) | (u64)device_read(pa + 4) << 32;
}

static inline void device_write64(u32 pa, u64 value)
{
    device_write(pa, (u32)value);
    device_write(pa + 4, (u32)(value >> 32));
}

#endif
