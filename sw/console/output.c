#include "drivers/uart.h"
#include "lib/printf.h"

void console_write(const char *text, u32 length)
{
    for (u32 i = 0; i < length; i++)
        uart_putc(text[i]);
}

int kprintf(const char *fmt, ...)
{
    char line[256];
    va_list args;

    va_start(args, fmt);
    int n = kvsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    console_write(line, MIN((u32)n, (u32)sizeof line - 1));
    return n;
}
