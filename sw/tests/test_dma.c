/* Sources: kernel/dma.c mm/ fs/ tests/machine/
 *
 * The kernel's side of the DMA engine: which frames leave the cache before it begins, and who keeps
 * an address space while it works. The engine and the MMU of devices are stand-ins. */
#include "drivers/cache.h"
#include "drivers/dma.h"
#include "drivers/iommu.h"
#include "kernel/dma.h"
#include "kernel/irq.h"
#include "machine/spaces.h"
#include "mm/asid.h"

/* ---- stand-ins ---- */
static u32 lists, attached[IOMMU_STREAMS];
static bool fault_is_due;
static void (*end_of_list)(void), (*device_fault)(void);

void cache_flush_range(const void *, u32)
{
}

void cache_clean_range(const void *, u32)
{
}

void request_irq(u32, void (*handler)(void))
{
    *(end_of_list ? &device_fault : &end_of_list) = handler;
}

/* The engine works while the kernel waits: a fault first, if one is due. */
void wait_event(bool (*condition)(void))
{
    while (!condition()) {
        if (fault_is_due)
            device_fault();
        end_of_list();
    }
}

void dma_start(u64, struct dma_streams, bool)
{
    lists++;
}

bool dma_busy(void)
{
    return false;
}

int dma_finish(void)
{
    return 0;
}

void iommu_enable(void)
{
}

void iommu_attach_identity(u32)
{
}

void iommu_attach(u32 stream, paddr_t, u32 asid)
{
    attached[stream] = asid;
}

void iommu_detach(u32 stream)
{
    attached[stream] = 0;
}

static struct iommu_fault fault;

bool iommu_next_fault(struct iommu_fault *next)
{
    *next = fault;
    bool due = fault_is_due;

    fault_is_due = false;
    return due;
}

void iommu_resume(const struct iommu_fault *resumed, bool retry)
{
    CHECK(resumed->stream == fault.stream && retry);
}

/* ---- tests ---- */
static struct mm *with_pages(vaddr_t at, u32 pages)
{
    struct mm *mm = new_mm(0);

    CHECK(mm_map(mm, at, pages * PAGE_SIZE, VM_DATA) == 0);
    for (u32 i = 0; i < pages; i++)
        store(mm, page(at, i), 1);
    return mm;
}

/* A piece that goes past the user half, and past 2^32: what is mapped leaves the cache. */
TEST(a_piece_that_wraps)
{
    vaddr_t at = TASK_SIZE - 2 * PAGE_SIZE;
    struct mm *mm = with_pages(at, 2);
    const struct scatterlist piece = {at, 0 - at + 8};
    u32 before = dma_stats.pages_flushed;

    dma_begin_fill_sg(&(struct sg_table){mm, &piece, 1}, 0);
    CHECK(dma_stats.pages_flushed == before + 2);
    CHECK(dma_wait() == 0);
}

/* Lengths whose sum is 2^32 are not nothing. */
TEST(lengths_that_wrap)
{
    struct mm *mm = with_pages(PAGE_SIZE, 1);
    const struct scatterlist half = {PAGE_SIZE, BIT(31)}, pieces[] = {half, half};
    u32 before = lists;

    dma_begin_fill_sg(&(struct sg_table){mm, pieces, 2}, 0);
    CHECK(dma_wait() == 0 && lists == before + 1);
}

/* The task ends between begin and wait: its memory stays, with its ASID, till the engine is done.
 */
TEST(a_task_that_ends)
{
    struct mm *mm = with_pages(PAGE_SIZE, 1);
    u32 asid = mm->asid, pages = machine_pages_in_use();

    CHECK(mm_map(mm, 8 * PAGE_SIZE, PAGE_SIZE, VM_DATA) == 0);
    dma_begin_copy_user(mm, 8 * PAGE_SIZE, mm, PAGE_SIZE, 64);
    drop_mm(0);
    CHECK(machine_pages_in_use() == pages && mm->users && mm->asid_pins == 2);
    CHECK(attached[1] == asid && attached[2] == asid);
    fault =
        (struct iommu_fault){.address = 8 * PAGE_SIZE, .stream = 2, .write = true, .waits = true};
    fault_is_due = true;
    CHECK(dma_wait() == 0 && dma_stats.faults == 1);
    CHECK(machine_pages_in_use() == 0 && !mm->users && !mm->asid_pins);
}

static void start(void)
{
    if (!end_of_list)
        dma_init();
}

int main(void)
{
    return run_on(&(struct machine){12, 31, 512, 512, 4, ENTRY_64}, 1, start);
}
