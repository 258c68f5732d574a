#include "console/regions.h"
#include "drivers/device.h"
#include "image.h"
#include "mm/highmem.h"
#include "mm/zero_page.h"

static vaddr_t at(const char *symbol)
{
    return (vaddr_t)(uintptr_t)symbol;
}

const char *kernel_region(vaddr_t va)
{
    if (va < at(__text_start) || va >= at(__text_start) + (zones[ZONE_LOW].pages << PAGE_SHIFT)) {
        if (va - PKMAP_BASE < nr_pkmap << PAGE_SHIFT)
            return "kmap window";
        if (va - FIX_KMAP_BASE < KM_MAX_IDX * KMAP_COLOUR_MAX << PAGE_SHIFT)
            return "kmap_local window";
        return va >= DEVICE_OFFSET ? "device" : "nothing";
    }
    return va < at(__text_end)     ? "kernel code"
           : va < at(__rodata_end) ? "kernel constants"
           : va < at(__image_end)  ? "kernel data"
                                   : "lowmem";
}

const char *physical_region(paddr_t pa)
{
    struct page *page = pfn_to_page(paddr_to_pfn(pa));

    if (!page)
        return "no memory";
    if (is_zero_pfn(paddr_to_pfn(pa)))
        return "the zero page";
    return page_is_high(page) ? "highmem" : "lowmem";
}
