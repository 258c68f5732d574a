#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"

extern const struct early_param __start_early_params[], __stop_early_params[];

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

char *next_arg(char *args, char **name, char **value)
{
    while (is_blank(*args))
        args++;
    if (!*args)
        return NULL;

    bool quoted = *args == '"';
    bool in_quote = quoted;
    char *end;

    if (quoted)
        args++;
    *name = args;
    *value = NULL;
    for (end = args; *end && (in_quote || !is_blank(*end)); end++) {
        if (*end == '=' && !*value) {
            *end = 0;
            *value = end + 1;
        } else if (*end == '"') {
            in_quote = !in_quote;
        }
    }
    char *rest = *end ? end + 1 : end;

    *end = 0;
    if (quoted && end > args && end[-1] == '"')
        end[-1] = 0;
    if (*value && **value == '"') {
        (*value)++;
        if (end > *value && end[-1] == '"')
            end[-1] = 0;
    }
    return rest;
}

static const struct early_param *find_param(const char *name)
{
    for (const struct early_param *p = __start_early_params; p < __stop_early_params; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

static void list_params(void)
{
    for (const struct early_param *p = __start_early_params; p < __stop_early_params; p++)
        kprintf(" %s", p->name);
    kprintf("\n");
}

unsigned parse_early_params(char *line)
{
    unsigned refused = 0;
    char *name, *value;

    while ((line = next_arg(line, &name, &value))) {
        const struct early_param *p = find_param(name);

        if (p && !p->setup(value))
            continue;
        refused++;
        if (p) {
            kprintf("Malformed early option '%s'\n", name);
        } else {
            kprintf("Unknown kernel command line parameter '%s'; there are:", name);
            list_params();
        }
    }
    return refused;
}
