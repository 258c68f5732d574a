#include "check.h"
#include "fuzz/fuzz.h"
#include "mm/highmem.h"

#define BUFFERS 12u
#define HOARD   2048u

static struct buffer {
    struct page *page; /* NULL: none */
    u32 value;
    u32 users; /* kmaps */
    u32 *mapped;
} buffers[BUFFERS];

static struct page *hoard[HOARD];
static u32 hoarded, hoard_steps;

static void check_word(const struct buffer *b, const u32 *through, const char *what)
{
    const u32 *word = phys(page_to_paddr(b->page));

    if (*through != b->value || *word != b->value)
        machine_failed("%s of page 0x%x shows 0x%x; 0x%x was written, memory has 0x%x", what,
                       page_to_pfn(b->page), *through, b->value, *word);
}

static void new_buffer(struct buffer *b)
{
    b->page = alloc_page(__GFP_HIGHMEM | (pseudo_random() & __GFP_ZERO));
    if (!b->page)
        return;
    b->value = pseudo_random();
    u32 *word = kmap_local_page(b->page);

    *word = b->value;
    kunmap_local(word);
}

static void map_buffer(struct buffer *b)
{
    u32 *word = kmap(b->page);

    if (b->users && word != b->mapped)
        machine_failed("kmap of a mapped page gives another address");
    b->mapped = word;
    b->users++;
    check_word(b, word, "kmap");
    *word = b->value = pseudo_random();
}

static void unmap_buffer(struct buffer *b)
{
    check_word(b, b->mapped, "kmap held for long");
    kunmap(b->page);
    b->users--;
}

/* Three at a time, unmapped in reverse. */
static void nest_local(void)
{
    const struct buffer *nested[3];
    u32 *word[3], depth = 0;

    while (depth < 3) {
        const struct buffer *b = &buffers[pseudo_random() % BUFFERS];

        if (!b->page)
            break;
        nested[depth] = b;
        word[depth++] = kmap_local_page(b->page);
    }
    for (u32 i = 0; i < depth; i++)
        check_word(nested[i], word[i], "kmap_local");
    while (depth)
        kunmap_local(word[--depth]);
}

void kernel_side_step(void)
{
    struct buffer *b = &buffers[pseudo_random() % BUFFERS];

    if (pseudo_random() % 64 == 0)
        pkmap_flush_policy = pseudo_random() % (PKMAP_FLUSH_EAGER + 1);
    if (pseudo_random() % 16 == 0)
        kmap_flush_unused();
    if (!b->page) {
        new_buffer(b);
    } else if (pseudo_random() % 3 == 0) {
        nest_local();
    } else if (b->users && pseudo_random() % 2) {
        unmap_buffer(b);
    } else if (!b->users && pseudo_random() % 4 == 0) {
        put_page(b->page);
        b->page = NULL;
    } else {
        map_buffer(b);
    }
}

static void release_hoard(void)
{
    while (hoarded)
        put_page(hoard[--hoarded]);
}

void hoard_step(void)
{
    if (hoarded && hoard_steps-- == 0)
        release_hoard();
    if (hoarded || pseudo_random() % 400)
        return;
    u32 left = pseudo_random() % 24;
    gfp_t gfp = pseudo_random() & __GFP_HIGHMEM;

    hoard_steps = pseudo_random() % 64;
    while (hoarded < HOARD && nr_free_pages() > left && (hoard[hoarded] = alloc_page(gfp)))
        hoarded++;
}

u32 kernel_side_pages(void)
{
    u32 pages = hoarded;

    for (u32 i = 0; i < BUFFERS; i++)
        pages += buffers[i].page != NULL;
    return pages;
}

void kernel_side_finish(void)
{
    release_hoard();
    for (struct buffer *b = buffers; b < buffers + BUFFERS; b++) {
        while (b->users)
            unmap_buffer(b);
        if (b->page)
            put_page(b->page);
        b->page = NULL;
    }
}
