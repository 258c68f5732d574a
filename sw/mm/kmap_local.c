/* kmap_local: a stack of fixmap slots. Slot n of colour c is page n * C + c of the window, so that
 * the mapping has the colour of its frame and a VIPT cache finds the frame's lines at once. */
#include "mm/highmem.h"
#include "mm/tlb.h"
#include "panic.h"

struct kmap_local_stats kmap_local_stats;

static struct pte_slot *slots;
static vaddr_t stack[KM_MAX_IDX];
static unsigned depth;

void kmap_local_init(struct pte_slot *first_slot)
{
    slots = first_slot;
}

unsigned kmap_local_depth(void)
{
    return depth;
}

void *kmap_local_slow(struct page *page)
{
    BUG_ON(depth >= KM_MAX_IDX);
    pfn_t pfn = page_to_pfn(page);
    u32 slot = depth * kmap_colours + (pfn & (kmap_colours - 1));
    vaddr_t address = FIX_KMAP_BASE + pages_to_bytes(slot);
    struct pte_slot *pte = ptep_add(slots, slot);

    BUG_ON(ptep_present(pte));
    set_pte(pte, pfn_to_paddr(pfn) | PROT_KERNEL);
    stack[depth++] = address;
    if (depth > kmap_local_stats.deepest)
        kmap_local_stats.deepest = depth;
    kmap_local_stats.maps++;
    return kernel_pointer(address);
}

void kunmap_local_slow(vaddr_t address)
{
    BUG_ON(depth == 0 || address - FIX_KMAP_BASE >= pages_to_bytes(KM_MAX_IDX * kmap_colours));
    /* Out of order is the caller's mistake: complain, and unmap the top slot as Linux does. */
    WARN_ON(stack[depth - 1] != address);
    address = stack[--depth];
    pte_clear(ptep_add(slots, bytes_to_pages(address - FIX_KMAP_BASE)));
    local_flush_tlb_kernel_page(address);
}
