/* Receives a program over the serial port and starts it. See protocol.h. */
#include "granule_map.h"
#include "granule_sysinfo.h"
#include "protocol.h"
#include <stdbool.h>
#include <stdint.h>

/* SiFive's UART. */
#define UART_TXDATA (GRANULE_UART_BASE + 0x00) /* write: send; read: bit 31 full */
#define UART_RXDATA (GRANULE_UART_BASE + 0x04) /* bit 31 nothing there, 7:0 data */
#define UART_TXCTRL (GRANULE_UART_BASE + 0x08)
#define UART_RXCTRL (GRANULE_UART_BASE + 0x0c)
#define UART_DIV    (GRANULE_UART_BASE + 0x18) /* cycles of a bit - 1 */
#define UART_FULL   (1u << 31)
#define UART_EMPTY  (1u << 31)
#define UART_ENABLE 1
#define BAUD        115200

#define BYTE_PATIENCE (1u << 20) /* cycles inside of a frame: some 15 ms */

struct frame {
    uint8_t kind, number;
    uint16_t length;
    uint32_t address;
    uint8_t payload[FRAME_PAYLOAD];
};

void enter(uint32_t entry) __attribute__((noreturn));
void loader_main(void) __attribute__((noreturn));

static uint32_t read_register(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static void write_register(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static uint32_t cycles(void)
{
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now));
    return now;
}

static void send(uint8_t byte)
{
    while (read_register(UART_TXDATA) & UART_FULL)
        ;
    write_register(UART_TXDATA, byte);
}

static void print(const char *text)
{
    for (; *text; text++)
        send((uint8_t)*text);
}

static void print_decimal(uint32_t number)
{
    char digits[11];
    char *at = digits + sizeof(digits) - 1;

    *at = 0;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    print(at);
}

/* The next byte, or -1 when none came for `patience` cycles; 0 waits for ever. */
static int receive(uint32_t patience)
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

static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    return crc;
}

static bool in_lowmem(uint32_t address, uint32_t length)
{
    uint32_t bytes = read_register(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_LOWMEM_BYTES);
    uint32_t offset = address - GRANULE_LOWMEM_BASE;

    return offset < bytes && length <= bytes - offset;
}

/* `count` bytes of a frame into `to`, little-endian order being ours too; adds them to the CRC. */
static bool take(void *to, uint32_t count, uint32_t *crc)
{
    uint8_t *at = to;

    while (count--) {
        int byte = receive(BYTE_PATIENCE);
        if (byte < 0)
            return false;
        *at++ = (uint8_t)byte;
        *crc = crc_step(*crc, (uint8_t)byte);
    }
    return true;
}

/* Fills `frame` with the next frame; 0, or the reason why it is no good. */
static char take_frame(struct frame *frame)
{
    uint32_t crc = ~0u, found, sent, unused = 0;

    while (receive(0) != FRAME_START)
        ;
    if (!take(&frame->kind, 1, &crc) || !take(&frame->number, 1, &crc) ||
        !take(&frame->length, 2, &crc) || !take(&frame->address, 4, &crc))
        return REASON_TIMEOUT;
    if (frame->length > FRAME_PAYLOAD)
        return REASON_LENGTH;
    if (!take(frame->payload, frame->length, &crc))
        return REASON_TIMEOUT;
    found = ~crc;
    if (!take(&sent, 4, &unused))
        return REASON_TIMEOUT;
    return sent == found ? 0 : REASON_CRC;
}

static uint32_t payload_word(const struct frame *frame, int word)
{
    const uint8_t *at = frame->payload + 4 * word;

    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

static char write_payload(const struct frame *frame)
{
    uint8_t *to = (uint8_t *)frame->address;

    if (!in_lowmem(frame->address, frame->length))
        return REASON_ADDRESS;
    for (uint32_t i = 0; i < frame->length; i++)
        to[i] = frame->payload[i];
    return 0;
}

static char write_zeros(const struct frame *frame)
{
    uint8_t *to = (uint8_t *)frame->address;
    uint32_t length = payload_word(frame, 0);

    if (frame->length != 4)
        return REASON_KIND;
    if (!in_lowmem(frame->address, length))
        return REASON_ADDRESS;
    for (uint32_t i = 0; i < length; i++)
        to[i] = 0;
    return 0;
}

static char check_image(const struct frame *frame)
{
    const uint8_t *image = (const uint8_t *)frame->address;
    uint32_t crc = ~0u, length = payload_word(frame, 0);

    if (frame->length != 8)
        return REASON_KIND;
    if (!in_lowmem(frame->address, length))
        return REASON_ADDRESS;
    for (uint32_t i = 0; i < length; i++)
        crc = crc_step(crc, image[i]);
    return ~crc == payload_word(frame, 1) ? 0 : REASON_IMAGE;
}

static char obey(const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_WRITE:
        return write_payload(frame);
    case FRAME_ZERO:
        return write_zeros(frame);
    case FRAME_CHECK:
        return check_image(frame);
    case FRAME_ENTER:
        return in_lowmem(frame->address, 4) ? 0 : REASON_ADDRESS;
    default:
        return REASON_KIND;
    }
}

/* After a damaged frame: what is still coming belongs to it. */
static void wait_for_silence(void)
{
    while (receive(BYTE_PATIENCE) >= 0)
        ;
}

void loader_main(void)
{
    static struct frame frame;
    uint32_t hertz = read_register(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_CLOCK_HZ);

    write_register(UART_DIV, (hertz + BAUD / 2) / BAUD - 1);
    write_register(UART_TXCTRL, UART_ENABLE);
    write_register(UART_RXCTRL, UART_ENABLE);
    print("\r\ngranule loader: ");
    print_decimal(hertz / 1000000);
    print(" MHz, lowmem ");
    print_decimal(read_register(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_LOWMEM_BYTES) >> 10);
    print(" KiB, highmem ");
    print_decimal(read_register(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_HIGHMEM_BYTES) >> 10);
    print(" KiB; waiting for a program\r\n");

    for (;;) {
        char reason = take_frame(&frame);
        if (reason)
            wait_for_silence();
        else
            reason = obey(&frame);
        send(reason ? FRAME_REFUSED : FRAME_TAKEN);
        send(reason ? (uint8_t)reason : frame.number);
        if (!reason && frame.kind == FRAME_ENTER)
            enter(frame.address);
    }
}
