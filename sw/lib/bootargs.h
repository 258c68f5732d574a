/* Boot arguments: "name=value name" separated by blanks; double quotes protect blanks.
 *
 * A module declares its own argument with early_param("name", setup): int setup(char *value), value
 * NULL when there was no '='. A non-zero answer prints "Malformed early option 'name'", and the
 * boot goes on with the default. Names that nobody declared are listed once as unknown.
 */
#ifndef LIB_BOOTARGS_H
#define LIB_BOOTARGS_H

#include "types.h"

#define BOOT_COMMAND_LINE_SIZE 512

struct early_param {
    const char *name;
    int (*setup)(char *value);
};

#define early_param(param, function)                 \
    static const struct early_param early_##function \
        __attribute__((used, section("early_params"))) = {param, function}

/* Splits the next argument off `args` in place: returns the rest, or NULL at the end of the line.
 * *value is NULL when the argument has no '='. */
char *next_arg(char *args, char **name, char **value);

/* Runs the setup function of every argument of `line`, which it takes apart. */
void parse_early_params(char *line);

#endif
