#include "mm/hashed_table.h"

#ifdef GRANULE_HASHED_TABLE
#include "drivers/device.h"
#include "drivers/mmu.h"
#include "drivers/sysinfo.h"
#include "errno.h"
#include "granule_map.h"
#include "granule_mmu.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "mm/htab.h"
#include "mm/page.h"
#include "mm/pgtable.h"

/* Of a tag. */
#define VALID      BIT(0)
#define GRANULE_AT 2
#define ASID_AT    8
#define ASID_MASK  0xffffu
#define PAGE_AT    27
#define VA_BITS    48
#define HASH_BITS  18

#define UPPER_HALF BIT(31)

struct hashed_group {
    u64 tag[HTAB_GROUP], translation[HTAB_GROUP];
};

u32 hashed_table_bytes;
static struct hashed_group *groups;
static u32 mask; /* of the number of a group */
static bool wanted;

static int setup_htab(char *arg)
{
    if (!arg || strcmp(arg, "on") != 0) {
        kprintf("htab='%s' is not 'on'\n", arg ? arg : "");
        return -EINVAL;
    }
    wanted = true;
    return 0;
}
early_param("htab", setup_htab);

static bool is_upper(vaddr_t va)
{
    return va >> 31;
}

static u64 number_of(vaddr_t va)
{
    return (u64)(s64)(s32)va & (BIT64(VA_BITS) - 1);
}

static u32 hash_of(vaddr_t va, u32 asid)
{
    u64 page = number_of(va) >> PAGE_SHIFT;
    u32 fold = (u32)(page ^ page >> HASH_BITS);

    return is_upper(va) ? fold : fold ^ asid << 2;
}

/* A tag without its ASID, and without the bit that says that it is global. */
static u64 tag_of(vaddr_t va)
{
    u64 page = number_of(va & PAGE_MASK) >> 12 | (u64)is_upper(va) << (VA_BITS - 12);

    return page << PAGE_AT | (PAGE_SHIFT - 12) / 2 << GRANULE_AT | VALID;
}

/* The low half has the valid bit, so that one store takes the entry away. */
static void take(volatile u64 *tag)
{
    *(volatile u32 *)tag = 0;
}

static bool remove_from(struct hashed_group *group, u64 tag, u32 asid)
{
    const u64 page = ~((u64)ASID_MASK << ASID_AT | BIT(1));
    bool any = is_upper((vaddr_t)(tag >> PAGE_AT << 12)), found = false;

    for (u32 slot = 0; slot < HTAB_GROUP; slot++) {
        volatile u64 *at = &group->tag[slot];

        if ((*at & page) != tag)
            continue;
        if (!any && (*at >> ASID_AT & ASID_MASK) != asid)
            continue;
        take(at);
        found = true;
    }
    return found;
}

bool hashed_table_remove(vaddr_t start, u32 pages, u32 asid)
{
    bool found = false;

    if (!hashed_table_bytes)
        return false;
    for (; pages; pages--, start += PAGE_SIZE) {
        u32 hash = hash_of(start, asid);
        u64 tag = tag_of(start);

        found |= remove_from(&groups[hash & mask], tag, asid);
        found |= remove_from(&groups[~hash & mask], tag, asid);
    }
    return found;
}

bool hashed_table_remove_asid(u32 asid)
{
    bool found = false;

    for (u32 group = 0; hashed_table_bytes && group <= mask; group++) {
        for (u32 slot = 0; slot < HTAB_GROUP; slot++) {
            volatile u64 *at = &groups[group].tag[slot];
            u64 tag = *at;

            if (!(tag & VALID) || (tag >> ASID_AT & ASID_MASK) != asid)
                continue;
            take(at);
            found = true;
        }
    }
    return found;
}

bool hashed_table_wipe(void)
{
    if (!hashed_table_bytes)
        return false;
    memset(groups, 0, hashed_table_bytes);
    return true;
}

static u32 scan_table(struct pte_slot *slot, vaddr_t start)
{
    u32 span = BIT(geometry_shift(&kernel_geometry, LEAF_LEVEL - 1)), pages = bytes_to_pages(span);

    for (u32 i = 0; i < pages; i++, slot = ptep_next(slot)) {
        pte_t pte = ptep_get(slot);

        if (pte_present(pte) && pte_young(pte))
            hashed_table_remove(start + pages_to_bytes(i), 1, 0);
    }
    return pages;
}

u32 hashed_table_scan(void)
{
    const struct geometry *geo = &kernel_geometry;
    u32 looked = 0, span;

    for (vaddr_t va = UPPER_HALF; va >= UPPER_HALF; va += span) { /* until it wraps */
        struct pte_slot *table = kernel_root;
        unsigned level = geo->start_level;

        for (; level < LEAF_LEVEL; level++) {
            pte_t entry = ptep_get(ptep_add(table, geometry_index(geo, level, va)));

            if (!pte_present(entry) || !pte_is_table(entry))
                break;
            table = kernel_pointer((vaddr_t)pte_paddr(entry));
        }
        span = BIT(geometry_shift(geo, MIN(level, LEAF_LEVEL - 1)));
        if (level == LEAF_LEVEL)
            looked += scan_table(table, va);
    }
    mmu_tlbi(MMU_TLBI_ALL, 0, 0);
    return looked;
}

/* False: this MMU has no hashed table, and its register reads as zero. */
static bool turn_on(paddr_t base, u32 log2_groups)
{
    const u32 htab = GRANULE_MMU_BASE + GRANULE_MMU_HTAB_LO;
    u64 value =
        base | log2_groups << GRANULE_MMU_HTAB_LO_GROUPS_SHIFT | GRANULE_MMU_HTAB_LO_ENABLE_MASK;

    device_write64(htab, value);
    return device_read64(htab) == value;
}

void hashed_table_init(void)
{
    if (!wanted)
        return;
    u64 memory = sysinfo_lowmem_bytes() + sysinfo_highmem_bytes();
    u32 count = htab_groups(memory, PAGE_SHIFT), bytes = count * sizeof(struct hashed_group);
    u32 order = 0, log2_groups = 0;

    while (pages_to_bytes(BIT(order)) < bytes)
        order++;
    while (BIT(log2_groups) < count)
        log2_groups++;
    struct page *page = alloc_pages(GFP_KERNEL, order);

    if (!page) {
        kprintf("htab=on: no %u KiB in one piece; there will be no hashed table\n", bytes / 1024);
        return;
    }
    groups = lowmem_address(page);
    mask = count - 1;
    memset(groups, 0, bytes);
    if (!turn_on(page_to_paddr(page), log2_groups)) {
        kprintf("htab=on: this MMU has no hashed table; use granule-sim-teaching_hashed\n");
        groups = NULL;
        free_pages(page, order);
        return;
    }
    hashed_table_bytes = bytes;
    kprintf("  hashed table %u groups of %u, %u KiB\n", count, HTAB_GROUP, bytes / 1024);
}
#endif
