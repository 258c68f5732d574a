// Prints the boot arguments, then gives back every character until a 'q'; the code is their number.
#include "soc.h"

int main(void)
{
    int count = 0;
    puts_(boot_command_line);
    put('\n');
    for (;;) {
        const uint32_t word = REG32(UART_RXDATA);
        if (word & UART_EMPTY)
            continue;
        if ((word & 0xff) == 'q')
            return count;
        put(word & 0xff);
        count++;
    }
}
