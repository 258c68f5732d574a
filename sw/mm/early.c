#include "mm/early.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "image.h"
#include "lib/string.h"
#include "mm/page.h"
#include "panic.h"

#define MIN_FREE_PAGES 32u /* tables, zero pages and one small task */

static u32 low_end, top;

void early_init(void)
{
    u32 bytes = sysinfo_lowmem_bytes() & PAGE_MASK;
    u32 image = (u32)(__image_end - __text_start);
    u32 free_pages = bytes > image ? bytes_to_pages(bytes - image) : 0;

    if (free_pages < MIN_FREE_PAGES)
        panic(
            "not enough pages: %u of %u bytes left beside the kernel, %u needed; give more lowmem "
            "or a smaller pagesize",
            free_pages, PAGE_SIZE, MIN_FREE_PAGES);
    low_end = top = GRANULE_LOWMEM_BASE + bytes;
}

void *early_alloc(u32 bytes, u32 alignment)
{
    u32 floor = (u32)(uintptr_t)__image_end;

    if (bytes > top - floor || ((top - bytes) & ~(alignment - 1)) < floor)
        panic("early_alloc: %u bytes wanted, %u left in lowmem", bytes, top - floor);
    top = (top - bytes) & ~(alignment - 1);
    return memset((void *)(uintptr_t)top, 0, bytes);
}

u32 early_lowmem_end(void)
{
    return low_end;
}

u32 early_reserved_start(void)
{
    return top;
}
