/* Receives a program over the serial port and starts it. See protocol.h. */
#include "granule_map.h"
#include "granule_sysinfo.h"
#include "line.h"
#include "lz4.h"
#include "protocol.h"

#define BYTE_PATIENCE (1u << 20) /* cycles inside of a frame: some 15 ms */
#define IDLE_SECONDS  2          /* away from LINE_BAUD */

static uint32_t baud; /* what the host has chosen, 0 for LINE_BAUD */

struct frame {
    uint8_t kind, number;
    uint16_t length;
    uint32_t address;
    uint8_t payload[FRAME_PAYLOAD];
};

void enter(uint32_t entry) __attribute__((noreturn));
void loader_main(void) __attribute__((noreturn));

static void print(const char *text)
{
    for (; *text; text++)
        line_send((uint8_t)*text);
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

/* Four bits at a time, so that it keeps up with the line. */
static uint32_t crc_step(uint32_t crc, uint8_t byte)
{
    static const uint32_t of[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                    0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

    crc ^= byte;
    crc = crc >> 4 ^ of[crc & 15];
    return crc >> 4 ^ of[crc & 15];
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
        int byte = line_receive(BYTE_PATIENCE);
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

    for (int byte; (byte = line_receive(baud ? IDLE_SECONDS * hertz() : 0)) != FRAME_START;)
        if (byte < 0) {
            baud = 0;
            line_speed(LINE_BAUD);
        }
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

/* Payload: how long it becomes, and an LZ4 block; what it repeats lies in memory already. */
static char write_packed(const struct frame *frame)
{
    uint32_t length = payload_word(frame, 0);

    if (frame->length < 4)
        return REASON_KIND;
    if (!in_lowmem(frame->address, length))
        return REASON_ADDRESS;
    return lz4_unpack(frame->payload + 4, frame->length - 4, (uint8_t *)frame->address, length,
                      (const uint8_t *)GRANULE_LOWMEM_BASE)
               ? 0
               : REASON_PACKED;
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

static char choose_speed(const struct frame *frame)
{
    if (frame->length != 4)
        return REASON_KIND;
    if (!line_can(payload_word(frame, 0)))
        return REASON_BAUD;
    baud = payload_word(frame, 0);
    return 0;
}

static char obey(const struct frame *frame)
{
    switch (frame->kind) {
    case FRAME_WRITE:
        return write_payload(frame);
    case FRAME_PACKED:
        return write_packed(frame);
    case FRAME_ZERO:
        return write_zeros(frame);
    case FRAME_CHECK:
        return check_image(frame);
    case FRAME_BAUD:
        return choose_speed(frame);
    case FRAME_ENTER:
        return in_lowmem(frame->address, 4) ? 0 : REASON_ADDRESS;
    default:
        return REASON_KIND;
    }
}

/* After a damaged frame: what is still coming belongs to it. */
static void wait_for_silence(void)
{
    while (line_receive(BYTE_PATIENCE) >= 0)
        ;
}

void loader_main(void)
{
    static struct frame frame;

    line_init();
    print("\r\ngranule loader: ");
    print_decimal(hertz() / 1000000);
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
        line_send(reason ? FRAME_REFUSED : FRAME_TAKEN);
        line_send(reason ? (uint8_t)reason : frame.number);
        if (!reason && frame.kind == FRAME_BAUD)
            line_speed(baud);
        if (!reason && frame.kind == FRAME_ENTER)
            enter(frame.address);
    }
}
