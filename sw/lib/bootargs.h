/* Boot arguments: "name=value name" separated by blanks; double quotes protect blanks.
 *
 * A module declares its own argument with early_param("name", setup): int setup(char *value), value
 * NULL when there was no '='. A non-zero answer prints "Malformed early option 'name'"; a setup
 * function says before that which values there are. A name that nobody declared prints those that
 * there are. Linux goes on after either. Here the boot ends: who measures would get the figures of
 * another machine than the one that was asked for.
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

/* Runs the setup function of every argument of `line`, which it takes apart. The number of those
 * that are malformed or unknown; with any, the caller ends the run with a status that is not 0. */
unsigned parse_early_params(char *line);

#endif
