/* mremap: an area and its pages go to another address. The tables that the target needs are made
 * before anything moves, so a lack of memory leaves everything as it was. */
#include "errno.h"
#include "mm/mm.h"
#include "mm/pgtable.h"
#include "mm/tlb.h"
#include "mm/zero_page.h"
#include "panic.h"

/* Bytes that lie under one PTE page both at `from` and at `to`. */
static u32 get_extent(vaddr_t from, vaddr_t to, u32 bytes)
{
    u32 source = pte_page_end(from, from + bytes) - from;
    u32 target = pte_page_end(to, to + bytes) - to;

    return MIN(source, target);
}

static bool has_pte_page(struct mm *mm, vaddr_t address)
{
    struct pte_slot *slot = pte_offset_map(mm, address);

    if (slot)
        pte_unmap(slot);
    return slot;
}

static int alloc_target_tables(struct mm *mm, vaddr_t from, vaddr_t to, u32 bytes)
{
    while (bytes) {
        u32 extent = get_extent(from, to, bytes);

        if (has_pte_page(mm, from)) {
            struct pte_slot *slot = pte_alloc_map(mm, to);

            if (!slot)
                return -ENOMEM;
            pte_unmap(slot);
        }
        from += extent;
        to += extent;
        bytes -= extent;
    }
    return 0;
}

/* A zero page moves to the page of its new address's colour. */
static pte_t move_pte(pte_t pte, vaddr_t to)
{
    if (!is_zero_pfn(pte_pfn(pte)))
        return pte;
    return pfn_pte(my_zero_pfn(to), pte & ~PTE_ADDR_MASK);
}

/* One extent; the target's PTE page is there. */
static void move_ptes(struct mm *mm, vaddr_t from, vaddr_t to, u32 bytes)
{
    struct pte_slot *source_base = pte_offset_map(mm, from), *source = source_base;

    if (!source)
        return;
    struct pte_slot *target_base = pte_offset_map(mm, to), *target = target_base;

    BUG_ON(!target);
    for (vaddr_t end = to + bytes; to != end; to += PAGE_SIZE) {
        if (ptep_present(source))
            set_pte(target, move_pte(ptep_get_and_clear(source), to));
        source = ptep_next(source);
        target = ptep_next(target);
    }
    pte_unmap(target_base);
    pte_unmap(source_base);
}

static void move_page_tables(struct mm *mm, vaddr_t from, vaddr_t to, u32 bytes)
{
    for (u32 at = 0, extent; at < bytes; at += extent) {
        extent = get_extent(from + at, to + at, bytes - at);
        move_ptes(mm, from + at, to + at, extent);
    }
    flush_tlb_range(mm, from, from + bytes, false);
}

int mm_move(struct mm *mm, vaddr_t from, u32 length, vaddr_t to)
{
    struct vma *v = vma_lookup(mm, from);

    if (!v || v->start != from || v->end - v->start != length)
        return -EINVAL;
    int error = copy_vma(v, to);

    if (error)
        return error;
    error = alloc_target_tables(mm, from, to, length);
    if (error) {
        BUG_ON(mm_unmap(mm, to, length));
        return error;
    }
    move_page_tables(mm, from, to, length);
    return mm_unmap(mm, from, length);
}
