#include "drivers/uart.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "errno.h"
#include "granule_map.h"
#include "lib/bootargs.h"
#include "lib/csr.h"
#include "lib/printf.h"
#include "lib/string.h"

/* The block comes from SpinalHDL's library, so its registers have no generated header. */
#define UART_DATA    (GRANULE_UART_BASE + 0x00) /* write: send; read: bit 16 valid, 7:0 data */
#define UART_STATUS  (GRANULE_UART_BASE + 0x04) /* 23:16 free places of the transmit queue */
#define UART_LISTEN  BIT(1) /* status: interrupt while the receive queue holds something */
#define UART_DIVIDER (GRANULE_UART_BASE + 0x08)
#define UART_VALID   BIT(16)
#define UART_SENDING BIT(15) /* status: clear from the last character's stop bit on */

#define BAUD            115200u
#define FRAME_BITS      11u
#define CYCLES_PER_STEP 8u /* the receiver samples eight times a bit */

/* From BAUD to another speed, or to BAUD itself after a loader. Waits for the line: the divider
 * acts at once, and would spoil the characters that are still being sent. */
static void set_baud(u32 baud)
{
    u32 step = baud * CYCLES_PER_STEP;
    u32 start;

    uart_drain();
    start = csr_read(CSR_CYCLE);
    while (csr_read(CSR_CYCLE) - start < FRAME_BITS * (sysinfo_clock_hz() / BAUD))
        ;
    device_write(UART_DIVIDER, (sysinfo_clock_hz() + step / 2) / step - 1);
}

static u32 room(void)
{
    return (device_read(UART_STATUS) >> 16) & 0xff;
}

void uart_listen(bool on)
{
    device_write(UART_STATUS, on ? UART_LISTEN : 0);
}

/* In simulation the reset value of the divider, the fastest, is what the console expects. */
void uart_init(void)
{
    uart_listen(false);
    if (!sysinfo_is_simulation())
        set_baud(BAUD);
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
    while (device_read(UART_STATUS) & UART_SENDING)
        ;
}

/* Whoever listens has to follow; simulations do (tb/tools/board/sim), for which a line is slow. */
static int setup_baud(char *arg)
{
    u32 most = sysinfo_clock_hz() / CYCLES_PER_STEP;
    s32 baud;

    if (parse_decimal(arg, &baud) || baud < 9600 || (u32)baud > most) {
        kprintf("baud='%s' is no speed from 9600 to %u; keeping %u\n", arg ? arg : "", most, BAUD);
        return -EINVAL;
    }
    if (sysinfo_is_simulation())
        return 0;
    kprintf("console goes on at %u baud\n", (u32)baud);
    set_baud((u32)baud);
    return 0;
}
early_param("baud", setup_baud);
