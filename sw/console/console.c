/* The command loop. */
#include "console/console.h"
#include "console/info.h"
#include "drivers/uart.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"

#define LINE_SIZE 80

static void cmd_help(char *arg);

static void cmd_info(char *arg)
{
    (void)arg;
    print_banner();
    print_memory();
}

static void cmd_run(char *arg)
{
    char *name, *value;

    if (!arg || !next_arg(arg, &name, &value))
        name = "all";
    if (!run_experiments(name))
        kprintf("no experiment '%s'; `help` lists them\n", name);
}

static void cmd_ps(char *arg)
{
    static const char *const states[] = {"unused", "runnable", "waiting", "zombie"};

    (void)arg;
    kprintf("pid  state     asid  rss  tables\n");
    for (struct task *t = tasks; t < tasks + NR_TASKS; t++)
        if (t->state != TASK_UNUSED)
            kprintf("%-4u %-9s %-5u %-4u %u\n", t->pid, states[t->state], t->mm ? t->mm->asid : 0,
                    t->mm ? t->mm->anon_rss : 0, t->mm ? t->mm->nr_tables : 0);
    kprintf("nothing runs while the console waits\n");
}

static void cmd_counters(char *arg)
{
    (void)arg;
    print_counters();
}

static const struct {
    const char *name;
    void (*run)(char *arg);
    const char *help;
} commands[] = {
    {"help", cmd_help, "this list"},
    {"info", cmd_info, "machine, geometry, memory"},
    {"run", cmd_run, "run NAME: an experiment, or all"},
    {"ps", cmd_ps, "tasks"},
    {"counters", cmd_counters, "performance counters since reset"},
    {"exit", NULL, "end; the exit status tells whether every check passed"},
};

static void cmd_help(char *arg)
{
    (void)arg;
    for (u32 i = 0; i < ARRAY_SIZE(commands); i++)
        kprintf("  %-9s %s\n", commands[i].name, commands[i].help);
    kprintf("experiments:\n");
    list_experiments();
}

/* Reads a line with echo and backspace. */
static void read_line(char *line)
{
    u32 length = 0;

    for (;;) {
        int c = uart_getc();

        if (c < 0)
            continue;
        if (c == '\r' || c == '\n')
            break;
        if ((c == 8 || c == 127) && length) {
            length--;
            kprintf("\b \b");
        } else if (c >= ' ' && c < 127 && length < LINE_SIZE - 1) {
            line[length++] = (char)c;
            uart_putc((char)c);
        }
    }
    line[length] = 0;
    kprintf("\n");
}

/* False: the command was `exit`. */
static bool run_command(char *line)
{
    char *name, *value;
    char *rest = next_arg(line, &name, &value);

    if (!rest)
        return true;
    for (u32 i = 0; i < ARRAY_SIZE(commands); i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        if (!commands[i].run)
            return false;
        commands[i].run(rest);
        return true;
    }
    kprintf("unknown command '%s'; `help` lists them\n", name);
    return true;
}

void console_loop(void)
{
    char line[LINE_SIZE];

    kprintf("\nGranule console, `help` lists the commands\n");
    do {
        kprintf("granule> ");
        read_line(line);
    } while (run_command(line));
}
