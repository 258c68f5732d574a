#include "mm/slab.h"
#include "mm/highmem.h"
#include "panic.h"

#define OBJECT_ALIGN 8u

/* Head of a slab's page; its objects follow. Free ones are a list through their first word. */
struct slab {
    struct kmem_cache *cache;
    void **free;
    u32 in_use;
};

static u32 stride(const struct kmem_cache *cache)
{
    return ALIGN_UP(cache->size, OBJECT_ALIGN);
}

static u32 first_object(void)
{
    return ALIGN_UP((u32)sizeof(struct slab), OBJECT_ALIGN);
}

u32 kmem_cache_objects_per_slab(const struct kmem_cache *cache)
{
    return (PAGE_SIZE - first_object()) / stride(cache);
}

static struct page *slab_page(const struct slab *slab)
{
    return pfn_to_page(paddr_to_pfn(kernel_va(slab)));
}

static struct slab *slab_of(const void *object)
{
    return (struct slab *)((uintptr_t)object & ~(uintptr_t)(PAGE_SIZE - 1));
}

static void partial_add(struct kmem_cache *cache, struct page *page)
{
    page->next = cache->partial;
    page->prev = PAGE_NONE;
    if (cache->partial != PAGE_NONE)
        mem_map[cache->partial].prev = (u32)(page - mem_map);
    cache->partial = (u32)(page - mem_map);
}

static void partial_remove(struct kmem_cache *cache, struct page *page)
{
    if (page->prev != PAGE_NONE)
        mem_map[page->prev].next = page->next;
    else
        cache->partial = page->next;
    if (page->next != PAGE_NONE)
        mem_map[page->next].prev = page->prev;
}

static bool slab_add(struct kmem_cache *cache)
{
    struct page *page = alloc_page(GFP_KERNEL);

    if (!page)
        return false;
    struct slab *slab = lowmem_address(page);
    u8 *object = (u8 *)slab + first_object();

    *slab = (struct slab){.cache = cache};
    for (u32 i = kmem_cache_objects_per_slab(cache); i--; object += stride(cache)) {
        *(void **)object = slab->free;
        slab->free = (void **)object;
    }
    page->flags |= PG_SLAB;
    cache->slabs++;
    partial_add(cache, page);
    return true;
}

void *kmem_cache_alloc(struct kmem_cache *cache)
{
    BUG_ON(kmem_cache_objects_per_slab(cache) == 0);
    if (cache->partial == PAGE_NONE && !slab_add(cache))
        return NULL;
    struct page *page = mem_map + cache->partial;
    struct slab *slab = lowmem_address(page);
    void **object = slab->free;

    slab->free = *object;
    slab->in_use++;
    cache->objects++;
    if (!slab->free)
        partial_remove(cache, page);
    return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
    struct slab *slab = slab_of(object);
    struct page *page = slab_page(slab);

    BUG_ON(!page || !(page->flags & PG_SLAB) || slab->cache != cache || !slab->in_use);
    if (!slab->free)
        partial_add(cache, page);
    *(void **)object = slab->free;
    slab->free = object;
    cache->objects--;
    if (--slab->in_use)
        return;
    partial_remove(cache, page);
    page->flags &= (u16)~PG_SLAB;
    cache->slabs--;
    put_page(page);
}
