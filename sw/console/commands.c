#include "console/commands.h"
#include "console/args.h"
#include "console/info.h"
#include "console/input.h"
#include "console/process.h"
#include "experiments/experiment.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/smaps.h"

static void cmd_help(char *args);

static void cmd_info(char *args)
{
    if (!no_more_arguments(args, "`info`"))
        return;
    print_banner();
    print_memory();
}

/* The process goes first and the keyboard is watched, not asked: what the experiment measures does
 * not depend on the console. */
static void cmd_run(char *args)
{
    const char *name = next_word(&args);

    if (!no_more_arguments(args, "`run all`"))
        return;
    if (!experiment_exists(name ? name : "")) {
        kprintf("'%s' is no experiment; type `run all`, or `run` and one of\n", name ? name : "");
        list_experiments();
        return;
    }
    process_end();
    if (!input_watch()) {
        kprintf("^C\n");
        return;
    }
    run_experiments(name);
    input_unwatch();
}

static void cmd_ps(char *args)
{
    static const char *const states[] = {"unused", "runnable", "waiting", "zombie"};

    if (!no_more_arguments(args, "`ps`"))
        return;
    kprintf("pid  state     asid  rss  tables\n");
    for (struct task *t = tasks; t < tasks + NR_TASKS; t++)
        if (t->state != TASK_UNUSED)
            kprintf("%-4u %-9s %-5u %-4u %u\n", t->pid, states[t->state], t->mm ? t->mm->asid : 0,
                    t->mm ? t->mm->anon_rss : 0, t->mm ? t->mm->nr_tables : 0);
    kprintf("nothing runs while the console waits\n");
}

static void cmd_smaps(char *args)
{
    if (no_more_arguments(args, "`smaps`"))
        smaps_dump(process_mm());
}

static const struct {
    const char *name;
    void (*run)(char *args);
    const char *arguments, *help;
} commands[] = {
    {"help", cmd_help, "", "this list"},
    {"info", cmd_info, "", "machine, geometry, memory"},
    {"run", cmd_run, "NAME", "an experiment, or all of them; Ctrl-C stops it"},
    {"walk", cmd_walk, "ADDRESS", "how an address is translated, level by level"},
    {"read", cmd_read, "ADDRESS", "reads a word as the process would: a page fault if need be"},
    {"write", cmd_write, "ADDRESS WORD", "the same with a store"},
    {"ptdump", cmd_ptdump, "[kernel|process]", "translation tables as ranges of equal rights"},
    {"tlb", cmd_tlb, "", "what the TLBs hold"},
    {"mem", cmd_mem, "[PAGES]", "map of the memory; a letter stands for so many pages"},
    {"smaps", cmd_smaps, "", "what the process maps, in the form of Linux's smaps"},
    {"counters", cmd_counters, "", "performance counters: since the last time, and in total"},
    {"ps", cmd_ps, "", "tasks"},
    {"exit", NULL, "", "end; the exit status tells whether every check passed"},
};

static void cmd_help(char *args)
{
    if (!no_more_arguments(args, "`help`"))
        return;
    for (u32 i = 0; i < ARRAY_SIZE(commands); i++)
        kprintf("  %-8s %-16s %s\n", commands[i].name, commands[i].arguments, commands[i].help);
    kprintf("experiments:\n");
    list_experiments();
    kprintf("keys: arrows (history and cursor), Ctrl-A and Ctrl-E (begin and end of the line),\n"
            "      Ctrl-U and Ctrl-K (delete to begin and to end), Ctrl-C (stop)\n");
}

bool run_command(char *line)
{
    char *rest = line;
    const char *name = next_word(&rest);

    if (!name)
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
