// Ends with the number in the boot arguments; without one, with success.
#include "soc.h"

int main(void)
{
    int code = 0;
    for (const char *c = boot_command_line; *c >= '0' && *c <= '9'; c++)
        code = 10 * code + (*c - '0');
    return code;
}
