/* ptdump: translation tables as ranges. Neighbours that differ in nothing but their address are one
 * range, as in Linux's ptdump. */
#include "console/args.h"
#include "console/commands.h"
#include "console/describe.h"
#include "console/input.h"
#include "console/process.h"
#include "console/regions.h"
#include "console/tables.h"
#include "drivers/mmu_look.h"
#include "lib/printf.h"
#include "lib/string.h"

struct range {
    u64 start, end; /* VA; 2^32 is the end of the highest range. Equal: there is none */
    u64 attributes;
    unsigned level;
    paddr_t pa;    /* of the first page */
    bool in_order; /* physical addresses follow each other too */
};

struct dump {
    const struct geometry *geo;
    bool kernel, stopped;
    struct range range;
};

static void print_range(struct dump *d)
{
    const struct range *r = &d->range;
    unsigned span = geometry_shift(d->geo, r->level);
    pte_t leaf = r->attributes;

    if (r->start == r->end)
        return;
    kprintf("  %08llx-%08llx %9s %5u x %-8s %s    %s   %-10s %09llx%c %s\n", r->start, r->end - 1,
            bytes_text(r->end - r->start), (u32)((r->end - r->start) >> span),
            bytes_text(BIT64(span)), rights_letters(kernel_rights(leaf)),
            rights_letters(user_rights(leaf)), memory_type_words(mmu_memory_type(leaf >> 2 & 7)),
            r->pa, r->in_order ? ' ' : '*',
            d->kernel ? kernel_region((vaddr_t)r->start) : physical_region(r->pa));
    d->stopped |= input_stop();
}

static void add_leaf(struct dump *d, u64 va, unsigned level, pte_t leaf)
{
    struct range *r = &d->range;
    u64 end = va + BIT64(geometry_shift(d->geo, level));

    if (r->end == va && r->start != r->end && r->level == level &&
        r->attributes == leaf_attributes(leaf)) {
        r->in_order &= pte_paddr(leaf) == r->pa + (va - r->start);
        r->end = end;
        return;
    }
    print_range(d);
    *r = (struct range){va, end, leaf_attributes(leaf), level, pte_paddr(leaf), true};
}

/* At most four levels deep. */
static void dump_table(struct dump *d, paddr_t at, unsigned level, u64 va)
{
    struct pte_slot *table = map_table(at);
    unsigned shift = geometry_shift(d->geo, level);

    for (u32 i = 0; i <= d->geo->mask[level] && !d->stopped; i++) {
        if (!ptep_present(ptep_add(table, i)))
            continue;
        pte_t entry = ptep_get(ptep_add(table, i));

        if (level < LEAF_LEVEL && pte_is_table(entry))
            dump_table(d, pte_paddr(entry), level + 1, va + ((u64)i << shift));
        else
            add_leaf(d, va + ((u64)i << shift), level, entry);
    }
    unmap_table(table);
}

static void dump_half(bool kernel)
{
    struct dump d = {.geo = geometry_of_half(kernel), .kernel = kernel};

    kprintf("%s (%s)\n", kernel ? "kernel" : "process", kernel ? "TTBR1" : "TTBR0");
    kprintf("  addresses              size   entries         kernel user  memory     physical\n");
    dump_table(&d, mmu_table_base(kernel), d.geo->start_level,
               kernel ? BIT64(MACHINE_VA_BITS - 1) : 0);
    if (d.stopped)
        kprintf("^C\n");
    else
        print_range(&d);
}

void cmd_ptdump(char *args)
{
    static const char usage[] = "`ptdump`, `ptdump kernel` or `ptdump process`";
    const char *which = next_word(&args);
    bool kernel = !which || strcmp(which, "kernel") == 0;
    bool user = !which || strcmp(which, "process") == 0;

    if (!kernel && !user) {
        kprintf("'%s' is neither kernel nor process; type %s\n", which, usage);
        return;
    }
    if (!no_more_arguments(args, usage))
        return;
    process_mm();
    if (kernel)
        dump_half(true);
    if (user)
        dump_half(false);
    kprintf("  (* the first of several places)\n");
}
