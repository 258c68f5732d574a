#include "mm/paging.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "granule_map.h"
#include "image.h"
#include "mm/early.h"
#include "mm/highmem.h"

static void map_lowmem(void)
{
    u32 base = (u32)(uintptr_t)__text_start;
    u32 text = (u32)(__text_end - __text_start), rodata = (u32)(__rodata_end - __text_end);
    u32 data = (u32)(uintptr_t)__rodata_end, stack = (u32)(uintptr_t)kernel_stack;
    u32 guard = stack - PAGE_SIZE; /* not mapped: where an overflow ends */

    kernel_map(base, base, text, PROT_TEXT);
    kernel_map(base + text, base + text, rodata, PROT_KERNEL | PTE_RDONLY);
    kernel_map(data, data, guard - data, PROT_KERNEL);
    kernel_map(stack, stack, early_lowmem_end() - stack, PROT_KERNEL);
}

static void map_device(u32 pa, u32 size)
{
    kernel_map((pa & PAGE_MASK) + DEVICE_OFFSET, pa & PAGE_MASK, ALIGN_UP(size, PAGE_SIZE),
               PROT_DEVICE);
}

void paging_init(void)
{
    early_init();
    kernel_root = early_alloc(PAGE_SIZE, PAGE_SIZE);
    map_lowmem();
    map_device(GRANULE_FINISHER_BASE, GRANULE_FINISHER_SIZE);
    map_device(GRANULE_TIMER_BASE, GRANULE_TIMER_SIZE);
    map_device(GRANULE_UART_BASE, GRANULE_UART_SIZE);
    map_device(GRANULE_MMU_BASE, GRANULE_MMU_SIZE);
    map_device(GRANULE_CACHE_BASE, GRANULE_CACHE_SIZE);
    map_device(GRANULE_SYSINFO_BASE, GRANULE_SYSINFO_SIZE);
    if (sysinfo_has_dma()) {
        map_device(GRANULE_PLIC_BASE, GRANULE_PLIC_SIZE);
        map_device(GRANULE_DMA_BASE, GRANULE_DMA_SIZE);
        map_device(GRANULE_BRIDGE_BASE, GRANULE_BRIDGE_SIZE);
    }
    make_kernel_window(PKMAP_BASE, PKMAP_MAX);
    make_kernel_window(FIX_KMAP_BASE, KM_MAX_IDX * KMAP_COLOUR_MAX);
}
