/* What an operating system does to an MMU, and what each step costs, without and with.
 *
 * Runs once at each granule that the MMU has. The status of the run counts words read wrong.
 */
#include "driver.h"
#include "drivers/device.h"
#include "drivers/sysinfo.h"
#include "drivers/uart.h"
#include "lib/bootargs.h"
#include "lib/printf.h"

#define PAGES  8 /* of a program; the data TLB has room for them */
#define PASSES 100
#define CYCLES csr_read(CSR_CYCLE)
#define MISSES csr_read(GRANULE_EVENT_COUNTER(GRANULE_EVENT_L1D_MISS)) /* of the data cache */

char boot_command_line[BOOT_COMMAND_LINE_SIZE] __attribute__((section(".data")));
u32 device_offset; /* of the shared drivers: here devices have VA = PA */
static u32 failures, way, loads_without;

static void expect(bool held, const char *what)
{
    failures += !held;
    if (!held)
        kprintf("  FAILED: %s\n", what);
}

static void row(const char *what, u32 without, u32 with)
{
    kprintf("  %-60s %7u %7u\n", what, without, with);
}

static __attribute__((noinline)) u32 time_loads(void)
{
    static volatile u32 word;
    u32 start = CYCLES;

    for (u32 i = 0; i < 1000; i++)
        (void)word;
    return CYCLES - start;
}

/* The frames of a program, in a row; each begins with `value`. */
static u32 make_pages(u32 value)
{
    u32 first = (u32)new_page(false);

    for (u32 i = 0; i < PAGES; i++) {
        *(u32 *)(first + i * PAGE_SIZE) = value;
        new_page(false); /* the next one */
    }
    return first;
}

static u32 sum(u32 va)
{
    u32 sum = 0;

    for (u32 i = 0; i < PAGES; i++)
        sum += *(volatile u32 *)(va + i * PAGE_SIZE);
    return sum;
}

/* The first entries of a last-level table map these pages of lowmem. */
static void fill(volatile u64 *table, u32 pages)
{
    for (u32 i = 0; i < PAGES; i++)
        table[i] = (pages + i * PAGE_SIZE) | USER_PAGE;
}

static void fill_in_highmem(u32 pages)
{
    fill(window_open(GRANULE_HIGHMEM_BASE), pages);
    window_close();
}

static void table_in_highmem(u32 pages)
{
    volatile u64 *low = new_page(true), *high = window_open(GRANULE_HIGHMEM_BASE);
    u32 start, without;

    for (u32 i = 0; i < PAGE_SIZE / 8; i++)
        high[i] = 0;
    window_close();
    set_last_table(USER_LOW, (u32)low);
    set_last_table(USER_HIGH, GRANULE_HIGHMEM_BASE);
    fill(low, pages);
    fill_in_highmem(pages); /* both once before, so that the caches are full */
    start = CYCLES;
    fill(low, pages);
    without = CYCLES - start;
    start = CYCLES;
    fill_in_highmem(pages);
    row("8 entries of a page table; with: it lies in highmem", without, CYCLES - start);
    expect(sum(USER_LOW) == PAGES, "a table in lowmem maps the pages");
    expect(sum(USER_HIGH) == PAGES, "a table in highmem maps the pages");
}

static void invalidations(u32 old, u32 fresh)
{
    u32 start, without;

    fill_in_highmem(fresh);
    kprintf("  the table has new pages; the TLB answers with %u old ones\n",
            2 * PAGES - sum(USER_HIGH));
    start = CYCLES;
    for (u32 i = 0; i < PAGES; i++)
        flush_page(USER_HIGH + i * PAGE_SIZE);
    without = CYCLES - start;
    expect(sum(USER_HIGH) == 2 * PAGES, "pages that were invalidated are the new ones");

    fill_in_highmem(old);
    start = CYCLES;
    flush_range(USER_HIGH, PAGES);
    row("8 pages are invalidated; with: as a range", without, CYCLES - start);
    expect(sum(USER_HIGH) == PAGES, "a range that was invalidated has the new pages");
}

/* Untouched pages get zero pages, of one colour or of each its own. */
static void read_untouched(bool coloured, u32 *time, u32 *missed)
{
    volatile u64 *table = window_open(GRANULE_HIGHMEM_BASE);
    u32 all = 0;

    for (u32 i = 0; i < PAGES; i++)
        table[i] = zero_page(coloured ? USER_HIGH + i * PAGE_SIZE : 0) | READ_ONLY | USER_PAGE;
    window_close();
    flush_range(USER_HIGH, PAGES);
    *missed = MISSES;
    *time = CYCLES;
    for (u32 pass = 0; pass < PASSES; pass++)
        for (u32 i = 0; i < PAGES; i++)
            all |= *(volatile u32 *)(USER_HIGH + i * PAGE_SIZE);
    *time = CYCLES - *time;
    *missed = MISSES - *missed;
    expect(!all, "untouched pages have zeros");
}

/* In S-mode, with the MMU on. */
static void tour(void)
{
    u32 old = make_pages(1), fresh = make_pages(2), time[2], missed[2];

    time_loads(); /* fills caches and TLBs */
    row("1,000 loads; with: translated", loads_without, time_loads());
    table_in_highmem(old);
    invalidations(old, fresh);
    make_zero_pages(way);
    read_untouched(false, &time[0], &missed[0]);
    read_untouched(true, &time[1], &missed[1]);
    row("800 reads of 8 untouched pages; with: coloured zero pages", time[0], time[1]);
    row("  misses of the data cache", missed[0], missed[1]);
}

int main(void)
{
    uart_init();
    if (parse_early_params(boot_command_line))
        return 1;
    way = way_bytes();
    kprintf("Granule driver on %s: a way of the data cache has %u KiB\n", sysinfo_name(),
            way >> 10);
    if (sysinfo_highmem_bytes() < 0x10000) {
        kprintf("%u bytes of highmem are too few; give 64 KiB\n", sysinfo_highmem_bytes());
        return 1;
    }
    time_loads();
    loads_without = time_loads();
    for (u32 shift = 12; shift <= 16; shift += 2) {
        if (!mmu_on(shift))
            continue;
        kprintf("pages of %u KiB, colours: %u\n", PAGE_SIZE >> 10, MAX(way >> shift, 1));
        kprintf("  %-60s %7s %7s\n", "cycles", "without", "with");
        in_supervisor_mode(tour);
        mmu_off();
    }
    kprintf("driver: %u failures\n", failures);
    uart_drain();
    return (int)failures;
}
