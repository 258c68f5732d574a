#include "drivers/plic.h"
#include "drivers/device.h"
#include "granule_map.h"

/* RISC-V PLIC specification, chapter 3; context 0 is the hart's M-mode, 1 its S-mode. */
#define PLIC_PRIORITY(number) (GRANULE_PLIC_BASE + 4 * (number))
#define PLIC_ENABLE           (GRANULE_PLIC_BASE + 0x2000)
#define PLIC_THRESHOLD        (GRANULE_PLIC_BASE + 0x200000)
#define PLIC_CLAIM            (GRANULE_PLIC_BASE + 0x200004)
#define PLIC_KERNEL_ENABLE    (GRANULE_PLIC_BASE + 0x2080)
#define PLIC_KERNEL_CLAIM     (GRANULE_PLIC_BASE + 0x201004)

void plic_init(void)
{
    device_write(PLIC_PRIORITY(GRANULE_UART_IRQ), 1);
    device_write(PLIC_THRESHOLD, 0);
    device_write(PLIC_ENABLE, BIT(GRANULE_UART_IRQ));
}

u32 plic_claim(void)
{
    return device_read(PLIC_CLAIM);
}

void plic_complete(u32 number)
{
    device_write(PLIC_CLAIM, number);
}

void plic_enable_for_kernel(u32 number)
{
    device_write(PLIC_PRIORITY(number), 1);
    device_write(PLIC_KERNEL_ENABLE, device_read(PLIC_KERNEL_ENABLE) | BIT(number));
}

u32 plic_kernel_claim(void)
{
    return device_read(PLIC_KERNEL_CLAIM);
}

void plic_kernel_complete(u32 number)
{
    device_write(PLIC_KERNEL_CLAIM, number);
}
