/* Sources: mm/xarray.c mm/slab.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 *
 * The index of a mapping against a plain array, its nodes against arithmetic, and no memory. */
#include "check.h"
#include "errno.h"
#include "mm/highmem.h"
#include "mm/slab.h"
#include "mm/xarray.h"
#include <string.h>
#include <sys/mman.h>

#define LOW       0x20000000u
#define LOW_PAGES 256u

static struct page map[LOW_PAGES];
static struct xarray xa;

void clear_highpage(struct page *page)
{
    memset(lowmem_address(page), 0, PAGE_SIZE);
}

static void boot(void)
{
    static void *low;

    if (!low)
        low = mmap((void *)(uintptr_t)LOW, LOW_PAGES << 12, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(low == (void *)(uintptr_t)LOW);
    CHECK(geometry_init(&kernel_geometry, 12, ENTRY_64, 31) == 0);
    memset(map, 0, sizeof map);
    page_alloc_init(map, LOW >> 12, LOW_PAGES, 0x100000, 0);
    free_range(LOW >> 12, (LOW >> 12) + LOW_PAGES);
}

struct thing {
    u8 bytes[200];
};
static struct kmem_cache things = KMEM_CACHE("thing", struct thing);
static struct kmem_cache others = KMEM_CACHE("other", struct thing);

TEST(slabs)
{
    static struct thing *held[100];

    boot();
    u32 per_slab = kmem_cache_objects_per_slab(&things);

    CHECK(per_slab == 20); /* of 200 bytes, after the head of the page */
    for (u32 i = 0; i < ARRAY_SIZE(held); i++) {
        held[i] = kmem_cache_alloc(&things);
        memset(held[i], (int)i, sizeof *held[i]);
    }
    CHECK(things.slabs == ARRAY_SIZE(held) / per_slab && things.objects == ARRAY_SIZE(held));
    CHECK(nr_free_pages() == LOW_PAGES - things.slabs);
    for (u32 i = 0; i < ARRAY_SIZE(held); i++) /* nobody wrote into another's */
        CHECK(held[i]->bytes[0] == (u8)i && held[i]->bytes[199] == (u8)i);
    for (u32 i = 0; i < ARRAY_SIZE(held); i += 2)
        kmem_cache_free(&things, held[i]);
    CHECK(things.slabs == 5 && things.objects == 50); /* each slab is half full */
    for (u32 i = 0; i < ARRAY_SIZE(held); i += 2)
        held[i] = kmem_cache_alloc(&things);
    CHECK(things.slabs == 5); /* what came back was used first */
    for (u32 i = 0; i < ARRAY_SIZE(held); i++)
        kmem_cache_free(&things, held[i]);
    CHECK(things.slabs == 0 && things.objects == 0 && nr_free_pages() == LOW_PAGES);
    CHECK(PANICS(kmem_cache_free(&others, kmem_cache_alloc(&things))));
    CHECK(PANICS(kmem_cache_free(&things, lowmem_address(alloc_page(GFP_KERNEL)))));
}

static u32 nodes_for(u32 entries)
{
    u32 nodes = 0;

    do {
        entries = (entries + XA_CHUNK_MASK) / XA_CHUNK_SIZE;
        nodes += entries;
    } while (entries > 1);
    return nodes;
}

/* A file that is read from its beginning to its end: as few nodes as the arithmetic says. */
TEST(dense)
{
    boot();
    for (u32 entries = 1; entries <= 8192; entries *= 8) {
        u32 before = xa_total_nodes();

        for (u32 i = 0; i < entries; i++)
            CHECK(xa_store(&xa, i, xa_mk_value(i)) == 0);
        CHECK(xa_total_nodes() - before == nodes_for(entries) && xa.nodes == nodes_for(entries));
        for (u32 i = 0; i < entries; i++)
            CHECK(xa_is_value(xa_load(&xa, i)) && xa_to_value(xa_load(&xa, i)) == i);
        CHECK(!xa_load(&xa, entries) && !xa_load(&xa, ~0u));
        for (u32 i = 0; i < entries; i++)
            CHECK(xa_erase(&xa, i) == xa_mk_value(i));
        CHECK(!xa.head && xa.nodes == 0 && xa_total_pages() == 0);
    }
    CHECK(nodes_for(262144) == 4161); /* one GiB of 4K pages */
}

/* Few entries, far apart: every height of the tree, and spans to skip. */
TEST(sparse)
{
    static const u32 at[] = {0, 63, 64, 4095, 4096, 1u << 20, 0x12345678, 0xfffffffe, ~0u};
    u32 index, n = 0;
    void *entry;

    for (u32 i = ARRAY_SIZE(at); i--;)
        CHECK(xa_store(&xa, at[i], xa_mk_value(i)) == 0);
    xa_for_each_range(&xa, index, entry, 0, 0xfffffffe)
    {
        CHECK(index == at[n] && xa_to_value(entry) == n);
        n++;
    }
    CHECK(n == ARRAY_SIZE(at) - 1);
    index = 65;
    CHECK(xa_find(&xa, &index, 4094) == NULL);
    CHECK(xa_find(&xa, &index, 4095) && index == 4095);
    for (u32 i = 0; i < ARRAY_SIZE(at); i++)
        xa_erase(&xa, at[i]);
    CHECK(!xa.head);
}

#define SPAN 20000u
TEST(random_traffic)
{
    static void *model[SPAN];

    for (u32 step = 0; step < 100000; step++) {
        u32 index = pseudo_random() % (step & 1 ? SPAN : 300);

        if (pseudo_random() % 3) {
            model[index] = xa_mk_value(pseudo_random());
            CHECK(xa_store(&xa, index, model[index]) == 0);
        } else {
            CHECK(xa_erase(&xa, index) == model[index]);
            model[index] = NULL;
        }
        u32 from = pseudo_random() % SPAN, want = from;

        while (want < SPAN && !model[want])
            want++;
        void *found = xa_find(&xa, &from, SPAN - 1);

        CHECK(want == SPAN ? !found : found == model[want] && from == want);
    }
    for (u32 i = 0; i < SPAN; i++)
        CHECK(xa_erase(&xa, i) == model[i]);
    CHECK(!xa.head && nr_free_pages() == LOW_PAGES);
}

/* With only so many pages for nodes: an insertion that fails leaves everything as it was. */
TEST(no_memory)
{
    u32 failures = 0;

    for (u32 keep = 0; keep < 4; keep++) {
        boot();
        while (nr_free_pages() > keep)
            alloc_page(GFP_KERNEL);
        for (u32 i = 0; i < 100; i++) {
            u32 index = pseudo_random(), nodes = xa.nodes;
            int error = xa_store(&xa, index, xa_mk_value(i));

            if (error == 0)
                continue;
            failures++;
            CHECK(error == -ENOMEM && !xa_load(&xa, index));
            CHECK(xa.nodes >= nodes && xa.nodes <= nodes + 6); /* a higher head may stay */
        }
        u32 index;
        void *entry;

        xa_for_each_range(&xa, index, entry, 0, 0xfffffffe) xa_erase(&xa, index);
        CHECK(!xa.head && xa.nodes == 0 && nr_free_pages() == keep);
    }
    CHECK(failures > 100);
}
