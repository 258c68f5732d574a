/* The kernel's page tables; what they map is mm/paging.c's business. */
#include "init.h"
#include "mm/early.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

struct pte_slot *kernel_root __ro_after_init;

static const struct geometry *const geo = &kernel_geometry;

static struct pte_slot *linear(pte_t entry)
{
    return kernel_pointer((vaddr_t)pte_paddr(entry));
}

/* The entry of `level` that maps `va`; tables on the way are made. */
static struct pte_slot *entry_at(vaddr_t va, unsigned level)
{
    struct pte_slot *table = kernel_root;

    for (unsigned l = geo->start_level; l < level; l++) {
        struct pte_slot *slot = ptep_add(table, geometry_index(geo, l, va));

        if (!ptep_present(slot))
            set_pte(slot, kernel_va(early_alloc(PAGE_SIZE, PAGE_SIZE)) | PTE_TABLE);
        BUG_ON(!pte_is_table(ptep_get(slot)));
        table = linear(ptep_get(slot));
    }
    return ptep_add(table, geometry_index(geo, level, va));
}

/* Highest level whose leaf is aligned here and not longer than what is left. */
static unsigned leaf_level(vaddr_t va, u32 pa, u32 size)
{
    for (unsigned level = geo->start_level; level < LEAF_LEVEL; level++) {
        u32 span = 1u << geometry_shift(geo, level);

        if (geometry_has_blocks(geo, level) && !((va | pa) & (span - 1)) && size >= span)
            return level;
    }
    return LEAF_LEVEL;
}

void kernel_map(vaddr_t va, paddr_t pa, u32 size, u64 prot)
{
    while (size) {
        unsigned level = leaf_level(va, pa, size);
        u32 span = 1u << geometry_shift(geo, level);
        u64 type = level == LEAF_LEVEL ? PTE_TABLE : pte_block(level);

        set_pte(entry_at(va, level), pa | (prot & ~PTE_TYPE) | type);
        va += span;
        pa += span;
        size -= MIN(size, span);
    }
}

void make_kernel_window(vaddr_t start, u32 pages)
{
    u32 entries = geometry_entries(geo), tables = (pages + entries - 1) / entries;

    if (tables == 1) { /* other things may be mapped by the same PTE page */
        entry_at(start, LEAF_LEVEL);
        return;
    }
    u8 *window = early_alloc(tables * PAGE_SIZE, PAGE_SIZE);

    for (u32 i = 0; i < tables; i++) {
        struct pte_slot *slot = entry_at(start + pages_to_bytes(i * entries), LEAF_LEVEL - 1);

        BUG_ON(ptep_present(slot));
        set_pte(slot, kernel_va(window + i * PAGE_SIZE) | PTE_TABLE);
    }
}

struct pte_slot *pte_offset_kernel(vaddr_t address)
{
    struct pte_slot *table = kernel_root;

    for (unsigned level = geo->start_level; level < LEAF_LEVEL; level++) {
        pte_t entry = ptep_get(ptep_add(table, geometry_index(geo, level, address)));

        if (!pte_present(entry) || !pte_is_table(entry))
            panic("kernel address 0x%08x is not mapped by pages", address);
        table = linear(entry);
    }
    return ptep_add(table, geometry_index(geo, LEAF_LEVEL, address));
}
