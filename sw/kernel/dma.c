#include "kernel/dma.h"
#include "drivers/cache.h"
#include "drivers/dma.h"
#include "drivers/iommu.h"
#include "errno.h"
#include "granule_map.h"
#include "kernel/irq.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

#define CLEARED_BYTES 4096u /* of dma_begin_clears */

/* Streams of the bridge. Physical addresses are those of the list, too. */
enum { PHYSICAL, SOURCE, DESTINATION };

struct dma_stats dma_stats;

static struct dma_entry list[DMA_CLEARS] __attribute__((aligned(64)));
static struct mm *space[IOMMU_STREAMS];
static bool finished;
static int outcome; /* of the engine, or of a fault that could not be served */

static void flush_page(struct page *page)
{
    u8 *window = kmap_local_page(page);

    cache_flush_range(window, PAGE_SIZE);
    kunmap_local(window);
    dma_stats.pages_flushed++;
}

/* The entry of a page of a user, or 0. */
static pte_t pte_of(struct mm *mm, vaddr_t address)
{
    struct pte_slot *slot = pte_offset_map(mm, address);
    pte_t pte = slot ? ptep_get(slot) : 0;

    if (slot)
        pte_unmap(slot);
    return pte;
}

static void flush_mapped(struct mm *mm, vaddr_t start, u32 bytes)
{
    for (vaddr_t at = start & PAGE_MASK; at < start + bytes; at += PAGE_SIZE) {
        pte_t pte = pte_of(mm, at);

        if (pte_present(pte))
            flush_page(pfn_to_page(pte_pfn(pte)));
    }
}

/* Transactions that follow each other fault on one page; all but the first find it mapped. What the
 * kernel wrote into a fresh page lies in the cache. */
static int fault_in(struct mm *mm, u64 address, bool write)
{
    if (!mm || address >= TASK_SIZE)
        return -EFAULT;
    pte_t pte = pte_of(mm, (vaddr_t)address);

    if (pte_present(pte) && (!write || pte_writable(pte)))
        return 0;
    int error = handle_mm_fault(mm, (vaddr_t)address, write ? FAULT_WRITE : 0);

    if (!error)
        flush_mapped(mm, (vaddr_t)address, 1);
    return error;
}

/* The engine has 8 transactions at most, and the queue has room for as many: none is lost. */
static void serve_faults(void)
{
    struct iommu_fault fault;

    while (iommu_next_fault(&fault)) {
        int error = fault_in(space[fault.stream], fault.address, fault.write);

        dma_stats.faults++;
        if (error && !outcome)
            outcome = error;
        if (fault.waits)
            iommu_resume(&fault, !error);
    }
}

static void serve_end(void)
{
    int error = dma_finish();

    if (!outcome)
        outcome = error;
    finished = true;
}

static bool is_finished(void)
{
    return finished;
}

void dma_init(void)
{
    iommu_enable();
    iommu_attach_identity(PHYSICAL);
    request_irq(GRANULE_DMA_IRQ, serve_end);
    request_irq(GRANULE_BRIDGE_IRQ, serve_faults);
}

/* The same entry so many times. */
static void begin_repeated(struct dma_entry entry, u32 times, u32 source, u32 destination)
{
    BUG_ON(dma_busy() || times == 0 || times > ARRAY_SIZE(list));
    for (u32 i = 0; i < times; i++)
        list[i] = entry;
    list[times - 1].flags |= DMA_LAST;
    cache_clean_range(list, times * sizeof *list);
    finished = false;
    outcome = 0;
    dma_start(kernel_va(list), (struct dma_streams){PHYSICAL, source, destination});
}

static void begin(struct dma_entry entry, u32 source, u32 destination)
{
    begin_repeated(entry, 1, source, destination);
}

void dma_begin_clear_page(struct page *page)
{
    flush_page(page);
    begin((struct dma_entry){.flags = DMA_FILL,
                             .bytes = PAGE_SIZE,
                             .destination = page_to_paddr(page)},
          PHYSICAL, PHYSICAL);
}

void dma_begin_clears(struct page *page, u32 times)
{
    flush_page(page);
    begin_repeated((struct dma_entry){.flags = DMA_FILL,
                                      .bytes = CLEARED_BYTES,
                                      .destination = page_to_paddr(page)},
                   times, PHYSICAL, PHYSICAL);
}

void dma_begin_copy_page(struct page *to, struct page *from)
{
    flush_page(from);
    flush_page(to);
    begin((struct dma_entry){.bytes = PAGE_SIZE,
                             .source = page_to_paddr(from),
                             .destination = page_to_paddr(to)},
          PHYSICAL, PHYSICAL);
}

static void attach(u32 stream, struct mm *mm)
{
    space[stream] = mm;
    iommu_attach(stream, kernel_va(mm->root), mm->asid);
}

void dma_begin_copy_user(struct mm *to_mm, vaddr_t to, struct mm *from_mm, vaddr_t from, u32 bytes)
{
    attach(SOURCE, from_mm);
    attach(DESTINATION, to_mm);
    flush_mapped(from_mm, from, bytes);
    flush_mapped(to_mm, to, bytes);
    begin((struct dma_entry){.bytes = bytes, .source = from, .destination = to}, SOURCE,
          DESTINATION);
}

int dma_wait(void)
{
    wait_event(is_finished);
    for (u32 stream = SOURCE; stream <= DESTINATION; stream++) {
        iommu_detach(stream);
        space[stream] = NULL;
    }
    return outcome;
}
