/* Objects smaller than a page: a cache hands out objects of one size from slabs, each of one lowmem
 * page. A slab that holds no object any more goes back to the page allocator at once. */
#ifndef MM_SLAB_H
#define MM_SLAB_H

#include "mm/page.h"

struct kmem_cache {
    const char *name;
    u32 size;    /* of an object, in bytes */
    u32 partial; /* list of slabs with a free object, through page->next; PAGE_NONE at its end */
    u32 slabs, objects;
};

#define KMEM_CACHE(cache_name, type)                                      \
    {                                                                     \
        .name = (cache_name), .size = sizeof(type), .partial = PAGE_NONE, \
    }

/* NULL when a slab is needed and there is no lowmem page. What an object holds is undefined. */
void *kmem_cache_alloc(struct kmem_cache *cache);
void kmem_cache_free(struct kmem_cache *cache, void *object); /* panics if it is none of ours */

u32 kmem_cache_objects_per_slab(const struct kmem_cache *cache);

#endif
