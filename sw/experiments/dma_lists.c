/* Several pieces of user memory by one list: what must hold of it, and what it saves. */
#include "drivers/dma.h"
#include "drivers/pmu.h"
#include "errno.h"
#include "experiments/dma.h"
#include "experiments/experiment.h"
#include "kernel/dma.h"
#include "panic.h"

#define MEASURED 8u /* pages, each with one between it and the next */

static vaddr_t page_at(u32 i)
{
    return dma_to() + (i << PAGE_SHIFT);
}

/* Pieces that are cut elsewhere at both ends, over pages that are not there yet. */
static void pieces(void)
{
    vaddr_t from = dma_from(), to = dma_to();
    struct mm *source = dma_space(from, 4, VM_DATA), *target = dma_space(to, 6, VM_DATA);
    const struct scatterlist read[] = {{from + PAGE_SIZE - 8, 16},
                                       {from + 3 * PAGE_SIZE, 0},
                                       {from + 2 * PAGE_SIZE, 8}};
    const struct scatterlist written[] = {{page_at(4), 4}, {page_at(1), 12}, {page_at(3) - 8, 8}};
    const struct sg_table from_pieces = {source, read, 3}, to_pieces = {target, written, 3};

    for (u32 i = 0; i < 4; i++) {
        dma_poke(source, from + PAGE_SIZE - 8 + 4 * i, 0x50 + i);
        dma_poke(source, from + 2 * PAGE_SIZE + 4 * i, 0x60 + i);
    }
    u32 lists = dma_stats.lists;

    dma_begin_copy_sg(&to_pieces, &from_pieces);
    dma_check(dma_wait() == 0, "copy of pieces");
    dma_check(dma_stats.lists == lists + 1, "one list");
    dma_check(dma_entries_done() == 3, "an entry for each piece that has an end of its own");
    dma_check(dma_peek(target, page_at(4)) == 0x50 && dma_peek(target, page_at(4) + 4) == 0,
              "the first piece");
    for (u32 i = 0; i < 3; i++)
        dma_check(dma_peek(target, page_at(1) + 4 * i) == 0x51 + i, "the second piece");
    dma_check(dma_peek(target, page_at(1) + 12) == 0, "and not more");
    dma_check(dma_peek(target, page_at(3) - 8) == 0x60 && dma_peek(target, page_at(3) - 4) == 0x61,
              "the third piece");
    dma_check(target->anon_rss == 3, "only pages with a piece");

    dma_begin_fill_sg(&to_pieces, 0xf111);
    dma_check(dma_wait() == 0, "fill of pieces");
    dma_check(dma_peek(target, page_at(4)) == 0xf111 && dma_peek(target, page_at(4) + 4) == 0 &&
                  dma_peek(target, page_at(1) + 8) == 0xf111 &&
                  dma_peek(target, page_at(1) + 12) == 0 &&
                  dma_peek(target, page_at(3) - 12) == 0 &&
                  dma_peek(target, page_at(3) - 4) == 0xf111,
              "the pieces, and nothing else");
    mmput(target);
    mmput(source);
    dma_section("D.7", "pieces of user memory by one list; faults are served");
}

static void errors(void)
{
    vaddr_t to = dma_to();
    struct mm *mm = dma_space(to, 2, VM_DATA);
    static struct scatterlist many[DMA_LIST_MAX + 1];
    const struct scatterlist shift[] = {{to + 64, 32}, {to + 128, 32}};
    const struct scatterlist lost[] = {{to, 32}, {to + 2 * PAGE_SIZE, 32}};
    u32 lists = dma_stats.lists;

    for (u32 i = 0; i < ARRAY_SIZE(many); i++)
        many[i] = (struct scatterlist){to + 8 * i, 4};
    dma_begin_fill_sg(&(struct sg_table){mm, many, ARRAY_SIZE(many)}, 1);
    dma_check(dma_wait() == -EINVAL, "more entries than a list has");
    dma_begin_fill_sg(&(struct sg_table){mm, many, 0}, 1);
    dma_check(dma_wait() == -EINVAL, "no piece");
    dma_begin_copy_sg(&(struct sg_table){mm, shift, 2}, &(struct sg_table){mm, many, 2});
    dma_check(dma_wait() == -EINVAL, "ends of different length");
    dma_check(dma_stats.lists == lists, "nothing of them began");
    dma_check(dma_peek(mm, to) == 0, "nothing of them was written");

    dma_begin_fill_sg(&(struct sg_table){mm, lost, 2}, 7);
    dma_check(dma_wait() == -EFAULT, "a piece in no area");
    dma_check(dma_entries_done() == 1 && dma_peek(mm, to) == 7, "the one before it is done");
    dma_begin_fill_sg(&(struct sg_table){mm, many, DMA_LIST_MAX}, 9);
    dma_check(dma_wait() == 0 && dma_entries_done() == DMA_LIST_MAX, "as many as a list has");
    dma_check(dma_peek(mm, to + 8 * (DMA_LIST_MAX - 1)) == 9, "up to the last one");
    mmput(mm);
    dma_section("D.8", "errors of lists have their code");
}

void dma_list_invariants(void)
{
    pieces();
    errors();
}

/* ---- costs ---- */
static u32 zero_pages(struct mm *mm, const struct scatterlist *pages, u32 a_list)
{
    u32 start = (u32)pmu_cycles();

    for (u32 i = 0; i < MEASURED; i += a_list) {
        dma_begin_fill_sg(&(struct sg_table){mm, pages + i, a_list}, 0);
        BUG_ON(dma_wait());
    }
    return (u32)pmu_cycles() - start;
}

/* Of the second pass: the first one brings code and tables into the caches. The pages lie in memory
 * alone, as the pass before left them. */
void dma_list_costs(void)
{
    struct mm *mm = dma_space(dma_to(), 2 * MEASURED, VM_DATA);
    struct scatterlist pages[MEASURED];
    u32 each = 0, one = 0;

    for (u32 i = 0; i < MEASURED; i++) {
        pages[i] = (struct scatterlist){page_at(2 * i), PAGE_SIZE};
        dma_poke(mm, page_at(2 * i), 1);
    }
    for (u32 pass = 0; pass < 2; pass++) {
        each = zero_pages(mm, pages, 1);
        one = zero_pages(mm, pages, MEASURED);
    }
    mmput(mm);
    mm_switch(NULL);
    kprintf("  zeroing %u scattered pages, cycles a page: %u by a list each, %u by one list\n",
            MEASURED, each / MEASURED, one / MEASURED);
    figure("D.list.each", "zeroing a page of several by a list of its own",
           ratio_e6(each, MEASURED), "cycles");
    figure("D.list.one", "zeroing a page of several by one list", ratio_e6(one, MEASURED),
           "cycles");
}
