/* walk ADDRESS: the way through the tables, one line a level, and what the hardware says. */
#include "console/args.h"
#include "console/commands.h"
#include "console/describe.h"
#include "console/process.h"
#include "console/regions.h"
#include "console/tables.h"
#include "drivers/mmu_look.h"
#include "kernel/esr.h"
#include "lib/printf.h"
#include "mm/highmem.h"

/* Where a walk ended: at a leaf, or at an entry that leads nowhere. */
struct walk_end {
    pte_t entry;
    unsigned level;
    bool leaf;
    paddr_t pa;
};

static u32 offset_mask(const struct geometry *g, unsigned level)
{
    return (1u << geometry_shift(g, level)) - 1;
}

static bool is_leaf(const struct geometry *g, pte_t entry, unsigned level)
{
    return level == LEAF_LEVEL ? pte_is_table(entry) /* a page has the same two bits */
                               : !pte_is_table(entry) && geometry_has_blocks(g, level);
}

static void print_entry(const struct geometry *g, unsigned level, vaddr_t va, paddr_t at,
                        pte_t entry)
{
    unsigned low = geometry_shift(g, level);
    unsigned high = low + log2_floor(g->mask[level] + 1);

    kprintf("  level %u  ", level);
    if (high - low > 1)
        kprintf("VA bits %2u:%u = %-5u", high - 1, low, geometry_index(g, level, va));
    else
        kprintf("VA bit  %2u    = %-5u", low, geometry_index(g, level, va));
    kprintf("entry at 0x%09llx: 0x%016llx  ", at, entry);
    if (!pte_present(entry))
        kprintf("invalid (bit 0 is 0)\n");
    else if (is_leaf(g, entry, level))
        kprintf("%s of %s\n", level == LEAF_LEVEL ? "page" : "block", bytes_text(BIT64(low)));
    else if (level < LEAF_LEVEL && pte_is_table(entry))
        kprintf("table at 0x%09llx\n", pte_paddr(entry));
    else
        kprintf("invalid (bits 1:0 are 01, and level %u has no blocks)\n", level);
}

static struct walk_end walk(bool kernel, vaddr_t va)
{
    const struct geometry *g = geometry_of_half(kernel);
    paddr_t table = mmu_table_base(kernel);
    struct walk_end end = {.level = g->start_level};

    for (;; end.level++) {
        paddr_t at = entry_address(table, geometry_index(g, end.level, va));

        if (!read_entry(at, &end.entry)) {
            kprintf("  level %u  entry at 0x%09llx: no memory there\n", end.level, at);
            return end;
        }
        print_entry(g, end.level, va, at, end.entry);
        end.leaf = pte_present(end.entry) && is_leaf(g, end.entry, end.level);
        table = pte_paddr(end.entry);
        if (end.leaf || !pte_present(end.entry) || end.level == LEAF_LEVEL)
            break;
    }
    end.pa = (table & ~(paddr_t)offset_mask(g, end.level)) | (va & offset_mask(g, end.level));
    return end;
}

static void explain_leaf(const struct walk_end *end, const struct geometry *g, vaddr_t va)
{
    pte_t leaf = end->entry;

    kprintf("  output   0x%09llx: the entry's address, and the lowest %u bits of 0x%08x; %s\n",
            end->pa, geometry_shift(g, end->level), va,
            in_kernel_half(va) ? kernel_region(va) : physical_region(end->pa));
    kprintf("  rights   the kernel may %s, user programs may %s\n",
            rights_words(kernel_rights(leaf)), rights_words(user_rights(leaf)));
    kprintf("  memory   %s%s, %s, %s\n", memory_type_words(mmu_memory_type(leaf >> 2 & 7)),
            leaf & PTE_SHARED ? ", shared by all caches" : "",
            leaf & PTE_NG ? "of one address space (ASID)" : "of all address spaces (global)",
            leaf & PTE_AF ? "accessed" : "never accessed");
}

/* What AT has to answer: the address, or which fault. */
static bool as_expected(u64 par, const struct walk_end *end, bool permitted)
{
    u32 wanted;

    if (end->leaf && (end->entry & PTE_AF) && permitted)
        return !(par & PAR_FAULT) && PAR_ADDRESS(par) == (end->pa & ~PAR_OFFSET);
    wanted = !end->leaf               ? ESR_TRANSLATION_FAULT
             : !(end->entry & PTE_AF) ? ESR_ACCESS_FLAG_FAULT
                                      : ESR_PERMISSION_FAULT;
    return (par & PAR_FAULT) && PAR_STATUS(par) == wanted + end->level;
}

/* One AT operation, and whether its answer is what the entry above says. */
static void ask_hardware(enum mmu_at kind, vaddr_t va, const struct walk_end *end, bool permitted)
{
    static const struct {
        const char *access, *name;
    } at[] = {
        [MMU_AT_KERNEL_READ] = {"read ", "S1E1R"},
        [MMU_AT_KERNEL_WRITE] = {"write", "S1E1W"},
        [MMU_AT_USER_READ] = {"read ", "S1E0R"},
        [MMU_AT_USER_WRITE] = {"write", "S1E0W"},
    };
    u64 par = mmu_translate(kind, (u64)(s64)(s32)va);
    char outcome[48];

    if (!(par & PAR_EXISTS)) {
        kprintf("  hardware this MMU has no AT operation\n");
        return;
    }
    if (par & PAR_FAULT)
        esr_status_describe(PAR_STATUS(par), outcome, sizeof outcome);
    else
        ksnprintf(outcome, sizeof outcome, "0x%09llx", PAR_ADDRESS(par) | (va & PAR_OFFSET));
    kprintf("  hardware %s: %s, %s (AT %s gave PAR 0x%016llx)\n", at[kind].access, outcome,
            as_expected(par, end, permitted) ? "as above" : "NOT AS ABOVE", at[kind].name, par);
}

static void hint(struct mm *mm, vaddr_t va)
{
    if (in_kernel_half(va)) {
        kprintf("nothing is mapped there; the kernel has 0x80000000 (code), 0x%08x (kmap), "
                "0xf8000000 (devices)\n",
                PKMAP_BASE);
    } else if (vma_lookup(mm, va)) {
        kprintf("not touched so far: the first read maps the zero page (`read 0x%x`), the first "
                "write\na page of its own (`write 0x%x 1`)\n",
                va & ~3u, va & ~3u);
    } else {
        kprintf("nothing may be there; ");
        print_areas(mm);
    }
}

void cmd_walk(char *args)
{
    vaddr_t va;

    if (!address_argument(&args, "`walk 0x80000000`", &va) ||
        !no_more_arguments(args, "`walk 0x80000000`"))
        return;
    bool kernel = in_kernel_half(va);
    const struct geometry *g = geometry_of_half(kernel);
    struct mm *mm = process_mm();

    kprintf("0x%08x is an address of the %s: %s, %u-bit addresses, pages of %s\n", va,
            kernel ? "kernel" : "process", kernel ? "TTBR1" : "TTBR0", g->va_bits,
            bytes_text(PAGE_SIZE));
    struct walk_end end = {0};

    if (kernel || va < TASK_SIZE)
        end = walk(kernel, va);
    else
        kprintf("  it has more than %u bits, so no table is asked\n", g->va_bits);
    struct rights rights = kernel ? kernel_rights(end.entry) : user_rights(end.entry);

    if (end.leaf)
        explain_leaf(&end, g, va);
    ask_hardware(kernel ? MMU_AT_KERNEL_READ : MMU_AT_USER_READ, va, &end, rights.read);
    ask_hardware(kernel ? MMU_AT_KERNEL_WRITE : MMU_AT_USER_WRITE, va, &end, rights.write);
    if (!end.leaf)
        hint(mm, va);
}
