#include "mm/paging.h"
#include "boot/boot.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "lib/string.h"
#include "mm/early.h"
#include "mm/highmem.h"
#include "panic.h"

struct pte_slot *kernel_root;

static const struct geometry *const geo = &kernel_geometry;

static struct pte_slot *linear(pte_t entry)
{
    return (struct pte_slot *)(uintptr_t)pte_paddr(entry);
}

/* The entry of `level` that maps `va`; tables on the way are made. */
static struct pte_slot *entry_at(vaddr_t va, unsigned level)
{
    struct pte_slot *table = kernel_root;

    for (unsigned l = geo->start_level; l < level; l++) {
        struct pte_slot *slot = ptep_add(table, geometry_index(geo, l, va));

        if (!ptep_present(slot))
            set_pte(slot, (uintptr_t)early_alloc(PAGE_SIZE, PAGE_SIZE) | PTE_TABLE);
        BUG_ON(!pte_is_table(ptep_get(slot)));
        table = linear(ptep_get(slot));
    }
    return ptep_add(table, geometry_index(geo, level, va));
}

/* Highest level whose leaf is aligned here and not longer than what is left. */
static unsigned leaf_level(u64 va, u64 pa, u64 size)
{
    for (unsigned level = geo->start_level; level < LEAF_LEVEL; level++) {
        u64 span = BIT64(geometry_shift(geo, level));

        if (geometry_has_blocks(geo, level) && !((va | pa) & (span - 1)) && size >= span)
            return level;
    }
    return LEAF_LEVEL;
}

static void kernel_map(vaddr_t va, paddr_t pa, u32 size, u64 prot)
{
    while (size) {
        unsigned level = leaf_level(va, pa, size);
        u32 span = 1u << geometry_shift(geo, level);
        u64 type = level == LEAF_LEVEL ? PTE_TABLE : PTE_BLOCK;

        set_pte(entry_at(va, level), pa | (prot & ~PTE_TYPE) | type);
        va += span;
        pa += span;
        size -= MIN(size, span);
    }
}

static void map_lowmem(void)
{
    u32 base = (u32)(uintptr_t)__text_start;
    u32 text = (u32)(__text_end - __text_start), rodata = (u32)(__rodata_end - __text_end);
    u32 data = (u32)(uintptr_t)__rodata_end;

    kernel_map(base, base, text, PROT_TEXT);
    kernel_map(base + text, base + text, rodata, PROT_KERNEL | PTE_RDONLY);
    kernel_map(data, data, early_lowmem_end() - data, PROT_KERNEL);
}

static void map_device(u32 pa, u32 size)
{
    kernel_map((pa & PAGE_MASK) + DEVICE_OFFSET, pa & PAGE_MASK, ALIGN_UP(size, PAGE_SIZE),
               PROT_DEVICE);
}

/* Makes the PTE pages of a window; its end lies in the last one, as windows are aligned. */
static void make_window(vaddr_t start, u32 pages)
{
    u32 span = 1u << geometry_shift(geo, LEAF_LEVEL - 1);

    for (vaddr_t at = start; at - start < pages << PAGE_SHIFT; at += span)
        entry_at(at, LEAF_LEVEL);
}

void paging_init(void)
{
    early_init();
    kernel_root = early_alloc(PAGE_SIZE, PAGE_SIZE);
    map_lowmem();
    map_device(GRANULE_TIMER_BASE, GRANULE_TIMER_SIZE);
    map_device(GRANULE_UART_BASE, GRANULE_UART_SIZE);
    map_device(GRANULE_MMU_BASE, GRANULE_MMU_SIZE);
    map_device(GRANULE_CACHE_BASE, GRANULE_CACHE_SIZE);
    map_device(GRANULE_SYSINFO_BASE, GRANULE_SYSINFO_SIZE);
    make_window(PKMAP_BASE, LAST_PKMAP);
    make_window(FIX_KMAP_BASE, KM_MAX_IDX * KMAP_COLOUR_MAX);
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
