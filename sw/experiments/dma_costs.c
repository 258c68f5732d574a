/* Zeroing a page, and copying one as copy-on-write does, by the CPU and by the engine. The engine's
 * cycles have all that it needs: the lines leave the data cache, the list, the interrupt. `busy` is
 * the part of them before the engine has begun; after that the CPU is free. `used` adds that the
 * CPU reads the page once, which it has in its cache if it wrote it. */
#include "drivers/cache.h"
#include "drivers/pmu.h"
#include "experiments/dma.h"
#include "experiments/experiment.h"
#include "kernel/dma.h"
#include "mm/highmem.h"
#include "panic.h"

/* Of the pages before: in memory alone, or just written by the CPU. */
enum state { COLD, DIRTY, STATES };
static const char *const state_names[] = {"cold", "dirty"};

enum operation { ZERO, COPY, OPERATIONS };
static const char *const operation_names[] = {"zero", "copy"};

struct cost {
    u32 cycles, used, busy;
};

static struct page *target, *source;

static u32 now(void)
{
    return (u32)pmu_cycles();
}

static void prepare(enum state state)
{
    struct page *const pages[] = {target, source};

    cache_flush_data();
    for (u32 p = 0; p < 2; p++) {
        u32 *word = kmap_local_page(pages[p]);

        for (u32 i = 0; i < PAGE_SIZE / 4; i++)
            word[i] = i + p;
        if (state == COLD)
            cache_flush_range(word, PAGE_SIZE);
        kunmap_local(word);
    }
}

static u32 sum(struct page *page)
{
    const u32 *word = kmap_local_page(page);
    u32 total = 0;

    for (u32 i = 0; i < PAGE_SIZE / 4; i++)
        total += word[i];
    kunmap_local(word);
    return total;
}

static u32 expected(enum operation operation)
{
    u32 words = PAGE_SIZE / 4;

    return operation == ZERO ? 0 : words * (words - 1) / 2 + words;
}

static struct cost measure(enum operation operation, enum state state, bool dma)
{
    struct cost cost = {0};

    /* The first pass brings code and tables into the caches. */
    for (u32 pass = 0; pass < 2; pass++) {
        prepare(state);
        u32 start = now();

        if (!dma) {
            if (operation == ZERO)
                clear_highpage(target);
            else
                copy_highpage(target, source);
            cost.busy = cost.cycles = now() - start;
        } else {
            if (operation == ZERO)
                dma_begin_clear_page(target);
            else
                dma_begin_copy_page(target, source);
            cost.busy = now() - start;
            BUG_ON(dma_wait());
            cost.cycles = now() - start;
        }
        u32 total = sum(target);

        cost.used = now() - start;
        BUG_ON(total != expected(operation));
    }
    return cost;
}

static void row(enum operation operation, enum state state, bool dma)
{
    struct cost cost = measure(operation, state, dma);
    const struct {
        const char *name, *what;
        u32 cycles;
    } values[] = {{"", "until it is done", cost.cycles},
                  {".used", "and read by the CPU", cost.used},
                  {".busy", "of the CPU", cost.busy}};

    kprintf("  %-5s %-6s %-4s %8u %8u %8u\n", operation_names[operation], state_names[state],
            dma ? "DMA" : "CPU", cost.cycles, cost.used, cost.busy);
    for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
        char id[32], what[64];

        ksnprintf(id, sizeof id, "D.%s.%s.%s%s", operation_names[operation], state_names[state],
                  dma ? "dma" : "cpu", values[i].name);
        ksnprintf(what, sizeof what, "%s a page, %s, by %s: %s", operation_names[operation],
                  state_names[state], dma ? "DMA" : "CPU", values[i].what);
        figure(id, what, (s64)values[i].cycles * E6, "cycles");
    }
}

void dma_costs(void)
{
    target = alloc_page(GFP_HIGHUSER);
    source = alloc_page(GFP_HIGHUSER);
    BUG_ON(!target || !source);
    kprintf("  cycles a page              done     used     busy\n");
    for (enum operation operation = ZERO; operation < OPERATIONS; operation++)
        for (enum state state = COLD; state < STATES; state++) {
            row(operation, state, false);
            row(operation, state, true);
        }
    put_page(target);
    put_page(source);
}
