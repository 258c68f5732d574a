/* Copies and fills that the DMA engine does for the kernel. One list at a time: begin, then wait.
 *
 * The engine reads and writes memory, not the data cache. Every page is cleaned and dropped from
 * the cache before the engine begins with it, as Linux's dma_map_page does on a machine that is not
 * coherent. Nothing is needed afterwards: the core fetches no line that no instruction names. So
 * until dma_wait nobody may touch the pages.
 */
#ifndef KERNEL_DMA_H
#define KERNEL_DMA_H

#include "mm/mm.h"
#include "mm/page.h"

/* Once, on a machine with an engine (drivers/dma.h, dma_present). */
void dma_init(void);

/* Frames, of lowmem or highmem, by their physical addresses. */
void dma_begin_clear_page(struct page *page);
void dma_begin_copy_page(struct page *to, struct page *from);
/* The first 4 KiB of a frame, over and over: traffic, for measurements of others. */
void dma_begin_clears(struct page *page, u32 times);

/* The same two, done when they return, in a trap too. False: somebody has the engine, from begin to
 * wait, and nothing was done. */
bool dma_clear_page(struct page *page);
bool dma_copy_page(struct page *to, struct page *from);

/* Anonymous memory of two address spaces, or of one, by virtual address; multiples of 4. Pages that
 * are not there come by page faults, as if the task copied. */
void dma_begin_copy_user(struct mm *to_mm, vaddr_t to, struct mm *from_mm, vaddr_t from, u32 bytes);

/* A piece of user memory, and pieces of one address space: as Linux's, but by virtual address. */
struct scatterlist {
    vaddr_t address;
    u32 length;
};
struct sg_table {
    struct mm *mm;
    const struct scatterlist *sgl;
    u32 nents;
};

/* The pieces in their order, by one list with one interrupt; otherwise as dma_begin_copy_user. Both
 * ends of a copy have as many bytes, however they are cut. */
#define DMA_LIST_MAX 64u /* entries of a list; each end of a piece begins another one */
void dma_begin_fill_sg(const struct sg_table *to, u32 value);
void dma_begin_copy_sg(const struct sg_table *to, const struct sg_table *from);

/* Serves faults until the engine is done. -EFAULT: an address is in no area, or not permitted;
 * -ENOMEM: there was no page for one; -EINVAL: no multiple of 4, or what the console says. */
int dma_wait(void);

struct dma_stats {
    u32 faults;        /* transactions that waited for the kernel */
    u32 pages_flushed; /* from the data cache */
    u32 lists;         /* that the engine was given */
};
extern struct dma_stats dma_stats;

#endif
