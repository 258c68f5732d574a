/* Zero pages, one for each colour of the data cache.
 *
 * The cache picks a set by virtual address bits. If a way is larger than a page, some of these bits
 * belong to the page number: the colour. A line that is read under another colour than before has
 * to move, which is a miss. So an untouched page gets a zero page of its own colour.
 */
#include "driver.h"
#include "drivers/device.h"

#define REG(name)        (GRANULE_CACHE_BASE + GRANULE_CACHE_##name)
#define GET(name, value) (((value)&GRANULE_CACHE_##name##_MASK) >> GRANULE_CACHE_##name##_SHIFT)

static u32 first_page, colour_mask;

/* CCSIDR says what the hardware has: a way is sets * bytes of a line. */
u32 way_bytes(void)
{
    u32 low, high;

    device_write(REG(CSSELR), 0); /* the data cache of level 1 */
    low = device_read(REG(CCSIDR_LO));
    high = device_read(REG(CCSIDR_HI));
    return (GET(CCSIDR_HI_NUMSETS, high) + 1) * (16u << GET(CCSIDR_LO_LINESIZE, low));
}

/* In a row, the first of colour 0; one if a way is no larger than a page. A way is 2^n bytes. */
void make_zero_pages(u32 way)
{
    colour_mask = MAX(way, PAGE_SIZE) - PAGE_SIZE;
    do
        first_page = (u32)new_page(true);
    while (first_page & colour_mask);
    for (u32 bytes = colour_mask; bytes; bytes -= PAGE_SIZE)
        new_page(true);
}

u64 zero_page(u32 va)
{
    return first_page + (va & colour_mask);
}
