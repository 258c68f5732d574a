/* Debug console (SBI 2.0, chapter 12): bytes by physical address, or one byte. A write waits until
 * all is sent; a read takes what is there. */
#include "drivers/uart.h"
#include "sbi/memory.h"
#include "sbi/sbi.h"

enum { CONSOLE_WRITE, CONSOLE_READ, CONSOLE_WRITE_BYTE };

static struct sbi_ret write(const char *text, u32 length)
{
    for (u32 i = 0; i < length; i++)
        uart_putc(text[i]);
    return sbi_value(length);
}

static struct sbi_ret read(char *text, u32 room)
{
    u32 length = 0;
    int c;

    while (length < room && (c = uart_getc()) >= 0)
        text[length++] = (char)c;
    return sbi_value(length);
}

struct sbi_ret sbi_dbcn(u32 function, const u32 *args)
{
    if (function == CONSOLE_WRITE_BYTE) {
        uart_putc((char)args[0]);
        return sbi_value(0);
    }
    if (function > CONSOLE_WRITE_BYTE)
        return sbi_error(SBI_NOT_SUPPORTED);
    if (!supervisor_memory(args[1] | (u64)args[2] << 32, args[0]))
        return sbi_error(SBI_INVALID_PARAM);

    char *text = (char *)(uintptr_t)args[1];

    return function == CONSOLE_WRITE ? write(text, args[0]) : read(text, args[0]);
}
