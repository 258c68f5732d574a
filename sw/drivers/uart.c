#include "drivers/uart.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"

/* The block comes from SpinalHDL's library, so its registers have no generated header. */
#define UART_DATA    (GRANULE_UART_BASE + 0x00) /* write: send; read: bit 16 valid, 7:0 data */
#define UART_STATUS  (GRANULE_UART_BASE + 0x04) /* 23:16 free places of the transmit queue */
#define UART_DIVIDER (GRANULE_UART_BASE + 0x08)
#define UART_VALID   BIT(16)

#define BAUD            115200u
#define CYCLES_PER_STEP 8u /* the receiver samples eight times a bit */

static u32 queue_size; /* of the transmitter, in characters */

static u32 room(void)
{
    return (device_read(UART_STATUS) >> 16) & 0xff;
}

/* In simulation the reset value of the divider, the fastest, is what the console expects. */
void uart_init(void)
{
    if (!sysinfo_is_simulation())
        device_write(UART_DIVIDER, sysinfo_clock_hz() / (BAUD * CYCLES_PER_STEP) - 1);
    queue_size = room();
}

void uart_putc(char c)
{
    if (c == '\n')
        uart_putc('\r');
    while (!room())
        ;
    device_write(UART_DATA, (u8)c);
}

int uart_getc(void)
{
    u32 word = device_read(UART_DATA);

    return word & UART_VALID ? (int)(word & 0xff) : -1;
}

void uart_drain(void)
{
    while (room() < queue_size)
        ;
}
