#include "fs/dax_index.h"
#include "errno.h"
#include "mm/huge_memory.h"
#include "mm/rmap.h"
#include "panic.h"

static void *make_entry(pfn_t pfn, u32 flags)
{
    BUG_ON(pfn >> (31 - DAX_SHIFT)); /* a value has 31 bits */
    return xa_mk_value((uintptr_t)pfn << DAX_SHIFT | flags);
}

/* Replacing an entry that exists needs no memory. */
static void replace(struct xa_state *xas, void *entry)
{
    BUG_ON(!xas_load(xas) || xas_store(xas, entry));
}

static bool is_hole_page(const void *entry)
{
    const struct page *page = entry,
                      *end = mem_map + zones[ZONE_LOW].pages + zones[ZONE_HIGH].pages;

    return page >= mem_map && page < end && (page->flags & PG_FILE);
}

/* Whatever is no value was put there by somebody who should not have: better to fail at once. */
static void complain(void)
{
    static bool foreign_object_in_the_index;

    if (foreign_object_in_the_index)
        return;
    foreign_object_in_the_index = true;
    WARN_ON(foreign_object_in_the_index);
}

static bool is_pmd_entry(const void *entry)
{
    return xa_is_value(entry) && (dax_entry_flags(entry) & DAX_PMD);
}

/* The large entry that holds this index, if there is one, goes: all its mappings, then itself. */
static void drop_pmd_entry(struct address_space *mapping, u32 index)
{
    u32 first = index & ~(HPAGE_PMD_NR - 1);
    void *entry = mapping->nrpmd ? xa_load(&mapping->i_pages, first) : NULL;

    if (!is_pmd_entry(entry))
        return;
    BUG_ON(dax_entry_flags(entry) & DAX_LOCKED);
    if (dax_entry_flags(entry) & DAX_ZERO_PAGE)
        unmap_mapping_pages(mapping, first, HPAGE_PMD_NR, false);
    xa_erase(&mapping->i_pages, first);
    mapping->nrexceptional -= HPAGE_PMD_NR;
    mapping->nrpmd--;
}

static void *lock(struct xa_state *xas, const void *entry)
{
    BUG_ON(dax_entry_flags(entry) & DAX_LOCKED); /* whom should we wait for? */
    void *locked = make_entry(dax_to_pfn(entry), dax_entry_flags(entry) | DAX_LOCKED);

    replace(xas, locked);
    return locked;
}

int grab_pmd_entry(struct xa_state *xas, struct address_space *mapping, void **entry)
{
    u32 first = xas->index;

    *entry = xa_find(xas->xa, &first, xas->index + HPAGE_PMD_NR - 1);
    if (*entry && !is_pmd_entry(*entry))
        return -EEXIST; /* who put it there is found out by the fault of a page */
    if (*entry) {
        *entry = lock(xas, *entry);
        return 0;
    }
    *entry = make_entry(0, DAX_PMD | DAX_EMPTY | DAX_LOCKED);
    if (xas_store(xas, *entry))
        return -ENOMEM;
    mapping->nrexceptional += HPAGE_PMD_NR;
    mapping->nrpmd++;
    return 0;
}

int grab_mapping_entry(struct xa_state *xas, struct address_space *mapping, void **entry)
{
    drop_pmd_entry(mapping, xas->index);
    *entry = xas_load(xas);
    if (!*entry) {
        *entry = make_entry(0, DAX_EMPTY | DAX_LOCKED);
        if (xas_store(xas, *entry))
            return -ENOMEM;
        mapping->nrexceptional++;
        return 0;
    }
    if (!xa_is_value(*entry)) { /* a page is in order as long as the old method is in use */
        if (dax_hole_method == DAX_HOLE_PAGECACHE && is_hole_page(*entry))
            return 0;
        complain();
        return -EIO;
    }
    *entry = lock(xas, *entry);
    return 0;
}

void dax_unlock_entry(struct xa_state *xas)
{
    void *entry = xas_load(xas);

    if (!xa_is_value(entry))
        return;
    BUG_ON(!(dax_entry_flags(entry) & DAX_LOCKED));
    replace(xas, make_entry(dax_to_pfn(entry), dax_entry_flags(entry) & ~DAX_LOCKED));
}

static void drop_hole_page(struct address_space *mapping, struct page *page)
{
    page->flags &= (u16)~PG_FILE;
    put_page(page);
    mapping->nrpages--;
}

void dax_insert_entry(struct xa_state *xas, struct address_space *mapping, void *entry, pfn_t pfn,
                      u32 flags, bool dirty)
{
    bool page = !xa_is_value(entry);
    u32 old = page ? DAX_ZERO_PAGE : dax_entry_flags(entry);

    if ((old & DAX_ZERO_PAGE) && !(flags & DAX_ZERO_PAGE))
        unmap_mapping_pages(mapping, xas->index, 1, false);
    if (old & (DAX_ZERO_PAGE | DAX_EMPTY))
        replace(xas, make_entry(pfn, flags | DAX_LOCKED));
    if (page) {
        drop_hole_page(mapping, entry);
        mapping->nrexceptional++;
    }
    if (dirty)
        xas_set_mark(xas);
}

void dax_insert_hole_page(struct xa_state *xas, struct address_space *mapping, struct page *page)
{
    page->flags |= PG_FILE;
    replace(xas, page);
    mapping->nrexceptional--;
    mapping->nrpages++;
}

void dax_delete_mapping_range(struct address_space *mapping, u32 first, u32 last)
{
    void *entry;
    u32 index;

    drop_pmd_entry(mapping, first); /* of which only a part may go */
    xa_for_each_range(&mapping->i_pages, index, entry, first, last)
    {
        if (is_pmd_entry(entry)) {
            drop_pmd_entry(mapping, index);
            continue;
        }
        if (xa_is_value(entry)) {
            BUG_ON(dax_entry_flags(entry) & DAX_LOCKED);
            mapping->nrexceptional--;
        } else if (is_hole_page(entry)) {
            drop_hole_page(mapping, entry);
        } else {
            complain();
        }
        xa_erase(&mapping->i_pages, index);
    }
}
