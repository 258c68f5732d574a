/* read ADDRESS, write ADDRESS WORD: as the process would, page faults included. */
#include "console/args.h"
#include "console/commands.h"
#include "console/process.h"
#include "kernel/uaccess.h"
#include "lib/printf.h"

static void refused(const struct mm *mm, vaddr_t va, const char *what)
{
    kprintf("the process may not %s 0x%08x; ", what, va);
    print_areas(mm);
}

/* Address, on a word's boundary, and process of a command. */
static struct mm *target(char **args, const char *usage, vaddr_t *va)
{
    if (!address_argument(args, usage, va))
        return NULL;
    if (*va % sizeof(u32)) {
        kprintf("0x%08x is no multiple of 4; take 0x%08x\n", *va, *va & ~3u);
        return NULL;
    }
    return process_mm();
}

static void print_faults(const struct fault_stats *before)
{
    const struct fault_stats *now = &fault_stats;

    if (now->zero_maps != before->zero_maps)
        kprintf("a page fault mapped the zero page\n");
    else if (now->anon_new != before->anon_new || now->cow_zero != before->cow_zero)
        kprintf("a page fault mapped a page of its own\n");
    else if (now->faults != before->faults)
        kprintf("a page fault mapped storage of the file\n");
}

void cmd_read(char *args)
{
    static const char usage[] = "`read 0x100000`";
    struct fault_stats before = fault_stats;
    vaddr_t va;
    u32 value;
    struct mm *mm = target(&args, usage, &va);

    if (!mm || !no_more_arguments(args, usage))
        return;
    if (get_user(&value, va)) {
        refused(mm, va, "read");
        return;
    }
    print_faults(&before);
    kprintf("0x%08x\n", value);
}

void cmd_write(char *args)
{
    static const char usage[] = "`write 0x100000 1`";
    struct fault_stats before = fault_stats;
    vaddr_t va;
    u32 value;
    struct mm *mm = target(&args, usage, &va);
    const char *word = mm ? next_word(&args) : NULL;

    if (!mm)
        return;
    if (!word || !parse_number(word, &value)) {
        kprintf("'%s' is no number from 0 to 0xffffffff; type %s\n", word ? word : "", usage);
        return;
    }
    if (!no_more_arguments(args, usage))
        return;
    if (put_user(value, va)) {
        refused(mm, va, "write");
        return;
    }
    print_faults(&before);
    kprintf("0x%08x is written\n", value);
}
