// Ends with the number in the boot arguments; without one, with success. 'r' is a reset.
#include "soc.h"

int main(void)
{
    int code = 0;
    if (*boot_command_line == 'r') {
        puts_("resets\n");
        REG32(GRANULE_FINISHER_BASE) = GRANULE_FINISHER_RESET;
        puts_("never reached\n");
    }
    for (const char *c = boot_command_line; *c >= '0' && *c <= '9'; c++)
        code = 10 * code + (*c - '0');
    return code;
}
