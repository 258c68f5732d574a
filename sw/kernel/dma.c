#include "kernel/dma.h"
#include "drivers/cache.h"
#include "drivers/dma.h"
#include "drivers/iommu.h"
#include "errno.h"
#include "granule_map.h"
#include "kernel/irq.h"
#include "lib/printf.h"
#include "mm/asid.h"
#include "mm/highmem.h"
#include "mm/pgtable.h"
#include "panic.h"

#define CLEARED_BYTES 4096u /* of dma_begin_clears */

/* Streams of the bridge. Physical addresses are those of the list, too. */
enum { PHYSICAL, SOURCE, DESTINATION };

struct dma_stats dma_stats;

static struct dma_entry list[DMA_LIST_MAX] __attribute__((aligned(64)));
static u32 entries;
static struct mm *space[IOMMU_STREAMS];
static bool claimed, finished; /* from begin to wait; the engine, or before it began */
static int outcome;            /* of the engine, or of a fault that could not be served */

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
    u64 end = MIN((u64)start + bytes, TASK_SIZE); /* a stream faults from there on */

    for (vaddr_t at = start & PAGE_MASK; at < end; at += PAGE_SIZE) {
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

static void flush_pieces(const struct sg_table *table)
{
    for (u32 i = 0; i < table->nents; i++)
        flush_mapped(table->mm, table->sgl[i].address, table->sgl[i].length);
}

/* ---- a list: claim, entries, start ---- */
static void claim(void)
{
    BUG_ON(claimed);
    claimed = true;
    entries = 0;
    finished = false;
    outcome = 0;
}

/* Nothing begins, and dma_wait says why. */
static void refuse(int error)
{
    finished = true;
    outcome = error;
}

static bool add(struct dma_entry entry)
{
    if (entries == ARRAY_SIZE(list)) {
        kprintf("dma: a list has at most %u entries: make several lists of these pieces\n",
                (u32)ARRAY_SIZE(list));
        refuse(-EINVAL);
        return false;
    }
    list[entries++] = entry;
    return true;
}

static void start(u32 source, u32 destination, bool interrupt)
{
    BUG_ON(dma_busy() || entries == 0);
    list[entries - 1].flags |= DMA_LAST;
    cache_clean_range(list, entries * sizeof *list);
    dma_stats.lists++;
    dma_start(kernel_va(list), (struct dma_streams){PHYSICAL, source, destination}, interrupt);
}

/* ---- frames ---- */
static void list_clear(struct page *page)
{
    claim();
    flush_page(page);
    add((struct dma_entry){.flags = DMA_FILL,
                           .bytes = PAGE_SIZE,
                           .destination = page_to_paddr(page)});
}

static void list_copy(struct page *to, struct page *from)
{
    claim();
    flush_page(from);
    flush_page(to);
    add((struct dma_entry){.bytes = PAGE_SIZE,
                           .source = page_to_paddr(from),
                           .destination = page_to_paddr(to)});
}

void dma_begin_clear_page(struct page *page)
{
    list_clear(page);
    start(PHYSICAL, PHYSICAL, true);
}

void dma_begin_copy_page(struct page *to, struct page *from)
{
    list_copy(to, from);
    start(PHYSICAL, PHYSICAL, true);
}

void dma_begin_clears(struct page *page, u32 times)
{
    claim();
    flush_page(page);
    while (times-- && add((struct dma_entry){.flags = DMA_FILL,
                                             .bytes = CLEARED_BYTES,
                                             .destination = page_to_paddr(page)}))
        ;
    BUG_ON(finished);
    start(PHYSICAL, PHYSICAL, true);
}

/* Without interrupt, which a trap could not take. */
static void complete(void)
{
    start(PHYSICAL, PHYSICAL, false);
    while (dma_busy())
        ;
    BUG_ON(dma_finish());
    claimed = false;
}

bool dma_clear_page(struct page *page)
{
    if (claimed)
        return false;
    list_clear(page);
    complete();
    return true;
}

bool dma_copy_page(struct page *to, struct page *from)
{
    if (claimed)
        return false;
    list_copy(to, from);
    complete();
    return true;
}

/* ---- user memory ---- */
/* The engine may use the address space after its task has ended. */
static void attach(u32 stream, struct mm *mm)
{
    mmget(mm);
    asid_pin(mm);
    space[stream] = mm;
    iommu_attach(stream, kernel_va(mm->root), mm->asid);
}

static u64 sg_bytes(const struct sg_table *table)
{
    u64 bytes = 0;

    for (u32 i = 0; i < table->nents; i++)
        bytes += table->sgl[i].length;
    return bytes;
}

/* That a list has something to do, as much at both of its ends. */
static bool lengths_are_right(u64 written, u64 read)
{
    if (written && written == read)
        return true;
    kprintf("dma: %llu bytes are to be written with %llu: give both ends as many, and at least 4\n",
            written, read);
    refuse(-EINVAL);
    return false;
}

void dma_begin_fill_sg(const struct sg_table *to, u32 value)
{
    u64 bytes = sg_bytes(to);

    claim();
    if (!lengths_are_right(bytes, bytes))
        return;
    for (u32 i = 0; i < to->nents; i++)
        if (!add((struct dma_entry){.flags = DMA_FILL,
                                    .bytes = to->sgl[i].length,
                                    .destination = to->sgl[i].address,
                                    .value = value}))
            return;
    attach(DESTINATION, to->mm);
    flush_pieces(to);
    start(SOURCE, DESTINATION, true);
}

/* How far a copy is in the pieces of one of its ends. */
struct place {
    const struct scatterlist *piece;
    u32 done;
};

static u32 piece_left(struct place *at)
{
    while (at->done == at->piece->length)
        *at = (struct place){at->piece + 1, 0};
    return at->piece->length - at->done;
}

/* The engine sees that its two streams differ, and not that they are one address space. */
static bool add_copy(vaddr_t to, vaddr_t from, u32 bytes, bool one_space)
{
    u32 apart = to > from ? to - from : from - to;

    if (one_space && apart < bytes) {
        kprintf("dma: %u bytes at 0x%08x overlap their copy at 0x%08x: at most %u are free of it; "
                "copy by way of another place\n",
                bytes, from, to, apart);
        refuse(-EINVAL);
        return false;
    }
    return add((struct dma_entry){.bytes = bytes, .source = from, .destination = to});
}

void dma_begin_copy_sg(const struct sg_table *to, const struct sg_table *from)
{
    struct place read = {from->sgl, 0}, write = {to->sgl, 0};
    u64 bytes = sg_bytes(from);
    u32 now;

    claim();
    if (!lengths_are_right(sg_bytes(to), bytes))
        return;
    for (; bytes; bytes -= now, read.done += now, write.done += now) {
        now = MIN(piece_left(&read), piece_left(&write));
        if (!add_copy(write.piece->address + write.done, read.piece->address + read.done, now,
                      to->mm == from->mm))
            return;
    }
    attach(SOURCE, from->mm);
    attach(DESTINATION, to->mm);
    flush_pieces(from);
    flush_pieces(to);
    start(SOURCE, DESTINATION, true);
}

void dma_begin_copy_user(struct mm *to_mm, vaddr_t to, struct mm *from_mm, vaddr_t from, u32 bytes)
{
    const struct scatterlist read = {from, bytes}, written = {to, bytes};

    dma_begin_copy_sg(&(struct sg_table){to_mm, &written, 1},
                      &(struct sg_table){from_mm, &read, 1});
}

int dma_wait(void)
{
    wait_event(is_finished);
    for (u32 stream = SOURCE; stream <= DESTINATION; stream++) {
        iommu_detach(stream);
        if (space[stream]) {
            asid_unpin(space[stream]);
            mmput(space[stream]);
        }
        space[stream] = NULL;
    }
    claimed = false;
    return outcome;
}
