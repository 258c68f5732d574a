#include "drivers/timer.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "lib/csr.h"

#define MTIMECMP (GRANULE_TIMER_BASE + 0x4000) /* CLINT layout */
#define MTIME    (GRANULE_TIMER_BASE + 0xbff8)

u64 timer_now(void)
{
    u32 high, low;

    do {
        high = device_read(MTIME + 4);
        low = device_read(MTIME);
    } while (high != device_read(MTIME + 4));
    return (u64)high << 32 | low;
}

void timer_set_alarm(u64 when)
{
    register u32 low __asm__("a0") = (u32)when;
    register u32 high __asm__("a1") = (u32)(when >> 32);

    __asm__ volatile("ecall" : "+r"(low), "+r"(high)::"memory");
}

/* The high word is at its maximum in between, so that no half-written value matches. */
void timer_machine_alarm(u64 when)
{
    device_write(MTIMECMP + 4, ~0u);
    device_write(MTIMECMP, (u32)when);
    device_write(MTIMECMP + 4, (u32)(when >> 32));
    csr_clear_named(mip, IP_STIP);
    csr_set_named(mie, IP_MTIP);
}
