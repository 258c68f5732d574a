#include "drivers/uart.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "drivers/timer.h"
#include "errno.h"
#include "granule_map.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"

/* The registers of SiFive's UART; rtl/src/granule/soc/SifiveUart.scala has them. */
#define UART_TXDATA (GRANULE_UART_BASE + 0x00) /* write: send; read: bit 31 full */
#define UART_RXDATA (GRANULE_UART_BASE + 0x04) /* bit 31 nothing there, 7:0 data */
#define UART_TXCTRL (GRANULE_UART_BASE + 0x08)
#define UART_RXCTRL (GRANULE_UART_BASE + 0x0c)
#define UART_IE     (GRANULE_UART_BASE + 0x10)
#define UART_IP     (GRANULE_UART_BASE + 0x14)
#define UART_DIV    (GRANULE_UART_BASE + 0x18) /* cycles of a bit - 1 */
#define UART_FULL   BIT(31)
#define UART_EMPTY  BIT(31)
#define UART_ENABLE BIT(0)
#define UART_MARK   16 /* shift of the watermark in txctrl and rxctrl */
#define UART_TXWM   BIT(0)
#define UART_RXWM   BIT(1)

#define BAUD       115200u
#define FRAME_BITS 11u
#define LEAST_BIT  8u /* cycles: it is sampled so often */

/* From any speed to `baud`. Waits for the line: the divisor acts at once, and would spoil the
 * characters that are still being sent. */
static void set_baud(u32 baud)
{
    uart_drain();
    device_write(UART_DIV, (sysinfo_clock_hz() + baud / 2) / baud - 1);
}

void uart_listen(bool on)
{
    device_write(UART_IE, on ? UART_RXWM : 0);
}

/* In simulation the reset value of the divisor, the fastest, is what the console expects. */
void uart_init(void)
{
    device_write(UART_TXCTRL, UART_ENABLE | 1 << UART_MARK);
    device_write(UART_RXCTRL, UART_ENABLE);
    uart_listen(false);
    if (!sysinfo_is_simulation())
        set_baud(BAUD);
}

void uart_putc(char c)
{
    if (c == '\n')
        uart_putc('\r');
    while (device_read(UART_TXDATA) & UART_FULL)
        ;
    device_write(UART_TXDATA, (u8)c);
}

int uart_getc(void)
{
    u32 word = device_read(UART_RXDATA);

    return word & UART_EMPTY ? -1 : (int)(word & 0xff);
}

/* The queue is empty, and then its last character has had the time that it takes: by the timer,
 * since Linux stops the counter of cycles. */
void uart_drain(void)
{
    u32 frame = FRAME_BITS * (device_read(UART_DIV) + 1);
    u64 start;

    while (!(device_read(UART_IP) & UART_TXWM))
        ;
    start = timer_now();
    while (timer_now() - start < frame)
        ;
}

/* Whoever listens has to follow; simulations do (tb/tools/board/sim), for which a line is slow. */
static int setup_baud(char *arg)
{
    u32 most = sysinfo_clock_hz() / LEAST_BIT;
    s32 baud;

    if (parse_decimal(arg, &baud) || baud < 9600 || (u32)baud > most) {
        kprintf("baud='%s' is no speed from 9600 to %u\n", arg ? arg : "", most);
        return -EINVAL;
    }
    if (sysinfo_is_simulation())
        return 0;
    kprintf("console goes on at %u baud\n", (u32)baud);
    set_baud((u32)baud);
    return 0;
}
early_param("baud", setup_baud);
