#include "mm/sized_mm.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "lib/string.h"
#include "mm/asid.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "panic.h"

static unsigned order(const struct sized_mm *s)
{
    return s->geometry.page_shift - PAGE_SHIFT;
}

/* ---- blocks: pages of the process ---- */
static struct page *block_alloc(const struct sized_mm *s, gfp_t gfp)
{
    return alloc_pages(gfp, order(s));
}

/* The last reference frees. */
static void block_put(const struct sized_mm *s, struct page *block)
{
    if (--block->refcount == 0)
        free_pages(block, order(s));
}

static void block_copy(const struct sized_mm *s, struct page *to, struct page *from)
{
    for (u32 i = 0; i < BIT(order(s)); i++)
        copy_highpage(to + i, from + i);
}

/* ---- tables ---- */
/* Of an address at level 3, or NULL; `make`: what is missing on the way. Tables are lowmem. */
static struct pte_slot *leaf_slot(struct sized_mm *s, vaddr_t address, bool make)
{
    const struct geometry *g = &s->geometry;
    struct pte_slot *table = s->mm->root;

    for (unsigned level = g->start_level;; level++) {
        struct pte_slot *slot = ptep_add(table, geometry_index(g, level, address));

        if (level == LEAF_LEVEL)
            return slot;
        if (!ptep_present(slot)) {
            struct page *next = make ? block_alloc(s, GFP_KERNEL | __GFP_ZERO) : NULL;

            if (!next)
                return NULL;
            pgtable_page_ctor(next);
            s->tables++;
            set_pte(slot, mk_pte(next, PTE_TABLE));
        }
        table = kernel_pointer((vaddr_t)pte_paddr(ptep_get(slot)));
    }
}

/* After the invalidation of all that they mapped. */
static void free_tables(struct sized_mm *s, struct pte_slot *table, unsigned level)
{
    for (u32 i = 0; i <= s->geometry.mask[level] && level < LEAF_LEVEL; i++) {
        struct pte_slot *slot = ptep_add(table, i);
        pte_t entry = ptep_get_and_clear(slot);

        if (!pte_present(entry))
            continue;
        struct page *next = pfn_to_page(pte_pfn(entry));

        free_tables(s, lowmem_address(next), level + 1);
        pgtable_page_dtor(next);
        block_put(s, next);
        s->tables--;
    }
}

typedef int visit_function(struct sized_mm *s, vaddr_t address, struct pte_slot *slot,
                           struct sized_mm *other);

/* Every entry that is there, in order, until a visit fails. */
static int for_each_page(struct sized_mm *s, vaddr_t start, vaddr_t end, visit_function *visit,
                         struct sized_mm *other)
{
    u32 span = geometry_span(&s->geometry);
    int error = 0;

    for (vaddr_t stop; start < end; start = stop) {
        struct pte_slot *slot = leaf_slot(s, start, false);

        stop = MIN(end, (start & ~(span - 1)) + span);
        for (; slot && start < stop && !error; start += sized_page_size(s), slot = ptep_next(slot))
            if (ptep_present(slot))
                error = visit(s, start, slot, other);
    }
    return error;
}

/* ---- invalidation ---- */
void sized_flush(const struct sized_mm *s, vaddr_t start, vaddr_t end)
{
    u32 tg = geometry_tlbi_tg(&s->geometry), asid = s->mm->asid;
    u32 shift = s->geometry.page_shift, pages = (end - start) >> shift;

    while (pages) {
        struct tlbi_step step = tlb_next_step(pages);

        if (step.is_range)
            mmu_tlbi(MMU_TLBI_RANGE, MMU_TLBI_LAST_LEVEL,
                     tlbi_range_operand(start >> shift, tg, asid, LEAF_LEVEL, step.num,
                                        step.scale));
        else
            mmu_tlbi(MMU_TLBI_VA, MMU_TLBI_LAST_LEVEL,
                     tlbi_va_operand(start, asid, TLBI_HINT(tg, LEAF_LEVEL)));
        start += step.pages << shift;
        pages -= step.pages;
    }
}

static void flush_page(const struct sized_mm *s, vaddr_t address)
{
    sized_flush(s, address, address + sized_page_size(s));
}

/* ---- faults ---- */
static int first_access(struct sized_mm *s, struct pte_slot *slot)
{
    struct page *block = block_alloc(s, GFP_HIGHUSER | __GFP_ZERO);

    if (!block)
        return -ENOMEM;
    set_pte(slot, mk_pte(block, PROT_USER | PTE_DIRTY));
    s->blocks++;
    return 0;
}

/* Who has it alone takes it over; else a copy, of the whole page. */
static int copy_on_write(struct sized_mm *s, vaddr_t address, struct pte_slot *slot)
{
    pte_t old = ptep_get(slot);
    struct page *shared = pfn_to_page(pte_pfn(old)), *block;

    if (shared->refcount == 1) {
        set_pte(slot, old & ~PTE_RDONLY);
        flush_page(s, address);
        return 0;
    }
    block = block_alloc(s, GFP_HIGHUSER);
    if (!block)
        return -ENOMEM;
    block_copy(s, block, shared);
    s->stats.copied += sized_page_size(s);
    pte_clear(slot); /* break before make */
    flush_page(s, address);
    set_pte(slot, mk_pte(block, PROT_USER | PTE_DIRTY));
    block_put(s, shared);
    return 0;
}

int sized_fault(struct sized_mm *s, vaddr_t address, u32 fault)
{
    s->stats.faults++;
    if (address < s->start || address >= s->end)
        return -EFAULT;
    address &= ~(sized_page_size(s) - 1);
    struct pte_slot *slot = leaf_slot(s, address, true);

    if (!slot)
        return -ENOMEM;
    if (!ptep_present(slot))
        return first_access(s, slot);
    pte_t pte = ptep_get(slot);
    bool code = !(pte & PTE_UXN);

    if (code || !(fault & FAULT_WRITE))
        return -EFAULT;
    BUG_ON(pte_writable(pte)); /* one CPU: a stale entry of the TLB */
    return copy_on_write(s, address, slot);
}

/* ---- fork, unmap ---- */
static int share(struct sized_mm *parent, vaddr_t address, struct pte_slot *from,
                 struct sized_mm *child)
{
    struct pte_slot *to = leaf_slot(child, address, true);

    (void)parent;
    if (!to)
        return -ENOMEM;
    ptep_set_wrprotect(from);
    set_pte(to, ptep_get(from));
    get_page(pfn_to_page(pte_pfn(ptep_get(from))));
    child->blocks++;
    return 0;
}

int sized_fork(struct sized_mm *child, struct sized_mm *parent)
{
    int error = for_each_page(parent, parent->start, parent->end, share, child);

    flush_tlb_mm(parent->mm);
    return error;
}

/* What is unhooked waits for the invalidation in a list through page->next. */
static u32 unhooked = PAGE_NONE;

static int unhook(struct sized_mm *s, vaddr_t address, struct pte_slot *slot,
                  struct sized_mm *other)
{
    struct page *block = pfn_to_page(pte_pfn(ptep_get_and_clear(slot)));

    (void)address, (void)other;
    s->blocks--;
    if (block->refcount > 1) { /* somebody else has it: it is not freed here */
        block->refcount--;
        return 0;
    }
    block->next = unhooked;
    unhooked = (u32)(block - mem_map);
    return 0;
}

void sized_zap(struct sized_mm *s, vaddr_t start, vaddr_t end)
{
    for_each_page(s, start, end, unhook, NULL);
    sized_flush(s, start, end);
    while (unhooked != PAGE_NONE) {
        struct page *block = mem_map + unhooked;

        unhooked = block->next;
        block_put(s, block);
    }
}

/* ---- life ---- */
int sized_init(struct sized_mm *s, unsigned page_shift, vaddr_t start, vaddr_t end)
{
    *s = (struct sized_mm){.start = start, .end = end};
    if (page_shift < PAGE_SHIFT ||
        geometry_init(&s->geometry, page_shift, user_geometry.entry_shift, user_geometry.va_bits))
        return -EINVAL;
    s->mm = mm_alloc();
    if (!s->mm)
        return -ENOMEM;
    asid_pin(s->mm);
    memset(s->mm->root, 0, entries_to_bytes(geometry_root_entries(&s->geometry)));
    return 0;
}

/* The root is empty then, which is so at any page size. */
void sized_exit(struct sized_mm *s)
{
    sized_zap(s, s->start, s->end);
    flush_tlb_mm(s->mm); /* tables too */
    free_tables(s, s->mm->root, s->geometry.start_level);
    BUG_ON(s->blocks || s->tables);
    asid_unpin(s->mm);
    mmput(s->mm);
}

/* The empty address space comes between: no walk meets one's tables with the other's page size. */
void sized_switch(const struct sized_mm *s)
{
    mm_switch(NULL);
    mmu_set_user_geometry(s ? &s->geometry : &user_geometry);
    if (s)
        mm_switch(s->mm);
}

pte_t sized_pte(const struct sized_mm *s, vaddr_t address)
{
    struct pte_slot *slot = leaf_slot((struct sized_mm *)s, address, false);

    return slot && ptep_present(slot) ? ptep_get(slot) : 0;
}

int sized_load(struct sized_mm *s, vaddr_t to, const void *from, u32 bytes)
{
    for (u32 at = 0; at < bytes; at += PAGE_SIZE) {
        int error = sized_pte(s, to + at) ? 0 : sized_fault(s, to + at, FAULT_WRITE);

        if (error)
            return error;
        u32 part = (to + at) & (sized_page_size(s) - 1);
        struct page *page = pfn_to_page(pte_pfn(sized_pte(s, to + at))) + (part >> PAGE_SHIFT);
        u8 *window = kmap_local_page(page);

        memcpy(window, (const u8 *)from + at, MIN(PAGE_SIZE, bytes - at));
        kunmap_local(window);
    }
    for (u32 at = 0; at < bytes; at += sized_page_size(s)) {
        struct pte_slot *slot = leaf_slot(s, to + at, false);

        set_pte(slot, (ptep_get(slot) & PTE_ADDR_MASK) | PROT_USER_RX);
    }
    sized_flush(s, to, ALIGN_UP(to + bytes, sized_page_size(s)));
    return 0;
}
