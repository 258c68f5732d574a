#include "line.h"
#include "granule_map.h"
#include "granule_sysinfo.h"

/* The registers of SiFive's UART; rtl/src/granule/soc/SifiveUart.scala has them. */
#define UART_TXDATA (GRANULE_UART_BASE + 0x00) /* write: send; read: bit 31 full */
#define UART_RXDATA (GRANULE_UART_BASE + 0x04) /* bit 31 nothing there, 7:0 data */
#define UART_TXCTRL (GRANULE_UART_BASE + 0x08)
#define UART_RXCTRL (GRANULE_UART_BASE + 0x0c)
#define UART_IP     (GRANULE_UART_BASE + 0x14)
#define UART_DIV    (GRANULE_UART_BASE + 0x18) /* cycles of a bit - 1 */
#define UART_FULL   (1u << 31)
#define UART_EMPTY  (1u << 31)
#define UART_ENABLE 1u
#define UART_MARK   16 /* shift of the watermark */
#define UART_TXWM   1u /* fewer characters wait than the watermark */

#define FRAME_BITS 11
#define LEAST_BIT  8 /* cycles: the receiver samples so often */

uint32_t read_register(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

void write_register(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

uint32_t hertz(void)
{
    return read_register(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_CLOCK_HZ);
}

static uint32_t cycles(void)
{
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now));
    return now;
}

static uint32_t cycles_per_bit(uint32_t baud)
{
    return (hertz() + baud / 2) / baud;
}

bool line_can(uint32_t baud)
{
    uint32_t bit, off;

    if (!baud || baud > hertz() / LEAST_BIT)
        return false;
    bit = cycles_per_bit(baud);
    off = hertz() > bit * baud ? hertz() - bit * baud : bit * baud - hertz();
    return bit <= 0x10000 && off <= hertz() / 50;
}

void line_speed(uint32_t baud)
{
    uint32_t frame = FRAME_BITS * (read_register(UART_DIV) + 1), start;

    while (!(read_register(UART_IP) & UART_TXWM))
        ;
    start = cycles();
    while (cycles() - start < frame)
        ;
    write_register(UART_DIV, cycles_per_bit(baud) - 1);
}

void line_init(void)
{
    write_register(UART_TXCTRL, UART_ENABLE | 1 << UART_MARK);
    write_register(UART_RXCTRL, UART_ENABLE);
    line_speed(LINE_BAUD);
}

void line_send(uint8_t byte)
{
    while (read_register(UART_TXDATA) & UART_FULL)
        ;
    write_register(UART_TXDATA, byte);
}

int line_receive(uint32_t patience)
{
    uint32_t start = cycles();

    for (;;) {
        uint32_t word = read_register(UART_RXDATA);
        if (!(word & UART_EMPTY))
            return (int)(word & 0xff);
        if (patience && cycles() - start > patience)
            return -1;
    }
}
