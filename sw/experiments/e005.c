/* A page size for each process: one kernel, whose pages are the smallest, and processes with pages
 * of 4K, 16K and 64K at the same time. The same program runs in each: what a size gains in walks
 * and faults, and what it wastes in memory and in copying. */
#include "experiments/e005.h"
#include "drivers/pmu.h"
#include "experiments/experiment.h"
#include "mm/pgtable.h"
#include "panic.h"

#define KEY(n) (0x5eed0000u + (n))

static const char *size_name(const struct process *p)
{
    static const char *const names[NR_GRANULES] = {"4k", "16k", "64k"};

    return names[geometry_granule(&p->space.geometry)];
}

static void row(const struct process *p, const char *id, const char *what, u64 value,
                const char *unit)
{
    char name[32], text[80];

    ksnprintf(name, sizeof name, "G.%s.%s", id, size_name(p));
    ksnprintf(text, sizeof text, "pages of %s: %s", size_name(p), what);
    kprintf("  %-10s %-46s %10llu %s\n", size_name(p), what, value, unit);
    figure(name, text, (s64)value * E6, unit);
}

static u64 walks(const struct pmu_snapshot *s)
{
    return s->event[GRANULE_EVENT_WALKS];
}

/* The first access to each page finds zeros; then all is written, and read at random. */
static u32 fill_and_read(struct process *p)
{
    struct pmu_snapshot s;
    u32 wrong;

    pmu_snapshot(&s);
    wrong = sized_process_read(p, IN_ORDER, 0);
    pmu_since(&s);
    row(p, "faults", "faults when 512 KiB are touched", p->space.stats.faults, "faults");
    row(p, "touch", "cycles of that", s.cycles, "cycles");
    pmu_snapshot(&s);
    wrong += sized_process_write(p, IN_ORDER, KEY(1));
    pmu_since(&s);
    row(p, "walks-order", "walks of 2048 writes in order", walks(&s), "walks");
    pmu_snapshot(&s);
    wrong += sized_process_read(p, AT_RANDOM, KEY(1));
    pmu_since(&s);
    row(p, "walks", "walks of 4096 reads at random", walks(&s), "walks");
    row(p, "misses", "misses of the data TLB in them", s.event[GRANULE_EVENT_DTLB_MISS], "misses");
    row(p, "read", "cycles of them", s.cycles, "cycles");
    return wrong;
}

/* Parent and child; then the parent writes a word in each 64 KiB, and the child, which has the
 * pages to itself. Answers the bytes that were copied more or less than once. */
static u32 fork_and_write(struct process *p, u32 *wrong)
{
    static struct process child; /* too large for the stack */
    struct pmu_snapshot s;

    pmu_snapshot(&s);
    sized_process_fork(&child, p);
    pmu_since(&s);
    row(p, "fork", "fork of 512 KiB", s.cycles, "cycles");
    pmu_snapshot(&s);
    *wrong += sized_process_write(p, FAR_APART, KEY(2));
    pmu_since(&s);
    row(p, "cow", "a word written in each 64 KiB after it", s.cycles, "cycles");
    *wrong += sized_process_read(&child, IN_ORDER, KEY(1));
    *wrong += sized_process_write(&child, FAR_APART, KEY(3));
    *wrong += sized_process_read(p, FAR_APART, KEY(2));
    *wrong += sized_process_read(&child, FAR_APART, KEY(3));
    u32 copied = p->space.stats.copied + child.space.stats.copied;

    row(p, "copied", "copied by copy on write", copied >> 10, "KiB");
    sized_process_end(&child);
    return copied - E005_WORDS * sized_page_size(&p->space);
}

/* All goes; a word in each 64 KiB is read, and written. */
static u32 few_words(struct process *p)
{
    struct pmu_snapshot s;
    u32 wrong;

    sized_switch(&p->space);
    pmu_snapshot(&s);
    sized_zap(&p->space, E005_BASE, E005_BASE + E005_BYTES);
    pmu_since(&s);
    row(p, "unmap", "unmap of 512 KiB", s.cycles, "cycles");
    u32 before = p->space.blocks;

    wrong = sized_process_read(p, FAR_APART, 0);
    wrong += sized_process_write(p, FAR_APART, KEY(4));
    wrong += sized_process_read(p, FAR_APART, KEY(4));
    u32 bytes = (p->space.blocks - before) * sized_page_size(&p->space);

    row(p, "sparse", "memory for a word in each 64 KiB", bytes >> 10, "KiB");
    row(p, "tables", "page tables", p->space.tables * sized_page_size(&p->space) >> 10, "KiB");
    return wrong;
}

/* Pages that are not where their size wants them. */
static u32 misaligned(const struct sized_mm *s)
{
    u32 count = 0;

    for (vaddr_t at = E005_BASE; at < E005_BASE + E005_BYTES; at += sized_page_size(s))
        count += (pte_paddr(sized_pte(s, at)) & (sized_page_size(s) - 1)) != 0;
    return count;
}

static void e005_run(void)
{
    static struct process processes[NR_GRANULES];
    u32 wrong = 0, askew = 0, twice = 0, free = nr_free_pages(), tables = nr_pagetable;

    if (PAGE_SHIFT != GRANULE_SHIFT(0u) || ENTRY_WIDE) {
        kprintf(
            "  not measured: the kernel's pages must be the smallest, with entries of 64 bits\n");
        return;
    }
    for (u32 i = 0; i < NR_GRANULES; i++)
        sized_process_begin(&processes[i], GRANULE_SHIFT(i));
    for (u32 i = 0; i < NR_GRANULES; i++)
        wrong += fill_and_read(&processes[i]);
    for (u32 i = 0; i < NR_GRANULES; i++) { /* after the others ran */
        wrong += sized_process_read(&processes[i], IN_ORDER, KEY(1));
        askew += misaligned(&processes[i].space);
    }
    for (u32 i = 0; i < NR_GRANULES; i++)
        twice |= fork_and_write(&processes[i], &wrong);
    for (u32 i = 0; i < NR_GRANULES; i++)
        wrong += few_words(&processes[i]);
    e005_together(processes);
    for (u32 i = 0; i < NR_GRANULES; i++)
        sized_process_end(&processes[i]);
    invariant("G.read", "words that a process does not read as it wrote them, or not as 0", wrong);
    invariant("G.once", "bytes that were copied more or less than once", twice);
    invariant("G.aligned", "pages that are not aligned to their size", askew);
    invariant("G.pages", "pages that are lost",
              (nr_free_pages() != free) + (nr_pagetable != tables));
}
EXPERIMENT(e005, "e005", "a page size for each process", e005_run, NOT_IN_ALL);
