/* Arguments of commands. Every mistake is answered with the value, the limit and what to type. */
#ifndef CONSOLE_ARGS_H
#define CONSOLE_ARGS_H

#include "types.h"

/* The next word of *args, which it is cut off; NULL: there is none. */
char *next_word(char **args);

/* "0x80000000" or "4096", at most 32 bits. False: `text` is no such number. */
bool parse_number(const char *text, u32 *value);

/* The next argument as an address. False: it is missing or malformed, and that was said;
 * `usage` is what to type instead, with its quotes. */
bool address_argument(char **args, const char *usage, vaddr_t *address);

/* True: nothing follows. Otherwise says so. */
bool no_more_arguments(char *args, const char *usage);

#endif
