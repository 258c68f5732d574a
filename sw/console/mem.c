/* mem: a map of the memory, one letter for so many pages. */
#include "console/args.h"
#include "console/commands.h"
#include "console/input.h"
#include "console/process.h"
#include "fs/block_store.h"
#include "image.h"
#include "lib/printf.h"
#include "mm/zero_page.h"

#define LETTERS_A_LINE 64u
#define LINES_A_ZONE   8u /* with as many pages a letter as that takes */

/* In the order in which a letter is chosen when it stands for pages of several kinds. */
enum kind { FREE, KERNEL, EARLY, USED, SHARED, SLAB, FILE, BLOCK, ZERO, TABLE, KINDS };

static const struct {
    char letter;
    const char *text;
} kinds[KINDS] = {
    [FREE] = {'.', "free"},
    [KERNEL] = {'K', "image of the kernel"},
    [EARLY] = {'E', "kept since boot: the kernel's translation tables, mem_map"},
    [USED] = {'u', "in use"},
    [SHARED] = {'s', "in use more than once"},
    [SLAB] = {'o', "small objects of the kernel (slab)"},
    [FILE] = {'f', "of a file, in the page cache"},
    [BLOCK] = {'b', "storage for files"},
    [ZERO] = {'0', "zero page"},
    [TABLE] = {'T', "translation table of a process"},
};

static enum kind kind_of(const struct page *page)
{
    pfn_t pfn = page_to_pfn(page);

    if (is_zero_pfn(pfn))
        return ZERO;
    if (page->flags & PG_TABLE)
        return TABLE;
    if (is_block(pfn))
        return BLOCK;
    if (page->flags & PG_SLAB)
        return SLAB;
    if (page->flags & PG_FILE)
        return FILE;
    if (page->flags & PG_RESERVED)
        return pfn < paddr_to_pfn((uintptr_t)__image_end) ? KERNEL : EARLY;
    return page->refcount > 1 ? SHARED : USED;
}

/* Goes through the pages of a zone. Only the first page of a free block says that it is free. */
struct cursor {
    const struct page *page;
    u32 free; /* pages of the current free block that are left */
};

static enum kind next_page(struct cursor *c)
{
    const struct page *page = c->page++;

    if (!c->free && (page->flags & PG_FREE))
        c->free = 1u << page->order;
    if (c->free) {
        c->free--;
        return FREE;
    }
    return kind_of(page);
}

/* False: Ctrl-C. */
static bool print_zone(const struct zone *z, u32 per_letter, bool *seen)
{
    struct cursor cursor = {.page = mem_map + z->first};

    kprintf("%s: %u pages of %s, %u free; a letter is %s\n", z->name, z->pages,
            bytes_text(PAGE_SIZE), z->free, bytes_text((u64)per_letter << PAGE_SHIFT));
    for (u32 at = 0; at < z->pages; at += per_letter) {
        enum kind kind = FREE;

        if (at / per_letter % LETTERS_A_LINE == 0) {
            if (input_stop()) {
                kprintf("\n^C\n");
                return false;
            }
            kprintf("%s  0x%09llx ", at ? "\n" : "", pfn_to_paddr(z->start_pfn + at));
        }
        for (u32 i = 0; i < per_letter && at + i < z->pages; i++) {
            enum kind next = next_page(&cursor);

            kind = MAX(kind, next);
        }
        kprintf("%c", kinds[kind].letter);
        seen[kind] = true;
    }
    kprintf("\n");
    return true;
}

/* So many that a zone takes no more than LINES_A_ZONE. */
static u32 fitting(const struct zone *z)
{
    u32 pages = 1;

    while (z->pages > pages * LETTERS_A_LINE * LINES_A_ZONE)
        pages *= 2;
    return pages;
}

void cmd_mem(char *args)
{
    static const char usage[] = "`mem`, or `mem 1` for a letter a page";
    const char *word = next_word(&args);
    bool seen[KINDS] = {0};
    u32 pages = 0;

    if (word && (!parse_number(word, &pages) || !is_pow2(pages) || pages > 1u << MAX_ORDER)) {
        kprintf("'%s' is no power of two from 1 to %u; type %s\n", word, 1u << MAX_ORDER, usage);
        return;
    }
    if (!no_more_arguments(args, usage))
        return;
    process_mm();
    for (const struct zone *z = zones; z < zones + NR_ZONES; z++)
        if (z->pages && !print_zone(z, pages ? pages : fitting(z), seen))
            return;
    for (unsigned k = 0; k < KINDS; k++)
        if (seen[k])
            kprintf("  %c %s\n", kinds[k].letter, kinds[k].text);
    kprintf("  (of several pages in one letter the one that stands last in this list)\n");
}
