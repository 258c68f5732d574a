#include "console/args.h"
#include "lib/printf.h"
#include "lib/string.h"

char *next_word(char **args)
{
    char *word = *args, *end;

    while (*word == ' ')
        word++;
    for (end = word; *end && *end != ' '; end++)
        ;
    *args = *end ? end + 1 : end;
    *end = 0;
    return *word ? word : NULL;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 'a' ^ 'A';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool parse_number(const char *text, u32 *value)
{
    u32 base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    u64 sum = 0;

    text += base == 16 ? 2 : 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        u32 digit = (u32)digit_value(*text);

        if (digit >= base || sum > 0xffffffffu)
            return false;
        sum = sum * base + digit;
    }
    *value = (u32)sum;
    return sum <= 0xffffffffu;
}

bool address_argument(char **args, const char *usage, vaddr_t *address)
{
    const char *word = next_word(args);

    if (!word)
        kprintf("an address is missing; type %s\n", usage);
    else if (!parse_number(word, address))
        kprintf("'%s' is no address from 0 to 0xffffffff; type %s\n", word, usage);
    else
        return true;
    return false;
}

bool no_more_arguments(char *args, const char *usage)
{
    const char *word = next_word(&args);

    if (word)
        kprintf("'%s' is one argument too many; type %s\n", word, usage);
    return !word;
}
