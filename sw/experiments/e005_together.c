/* Processes of several page sizes in turns on one TLB. */
#include "drivers/mmu.h"
#include "drivers/pmu.h"
#include "drivers/tlb_view.h"
#include "experiments/e005.h"
#include "experiments/experiment.h"
#include "mm/tlb.h"
#include "panic.h"

#define FEW    2u /* words of a turn */
#define ROUNDS 16u
#define KEY    0x70e70000u

/* Entries of the data TLB for the processes' memory. */
static u32 entries(const struct process *p)
{
    struct tlb_entry e;
    u32 count = 0;

    for (u32 n = 0; n < TLB_VIEW_MAX; n++)
        if (tlb_view_read(TLB_DATA, n, &e) && !e.global && e.asid == p->space.mm->asid)
            count += (vaddr_t)e.va - E005_BASE < E005_BYTES;
    return count;
}

struct turns {
    u64 cycles, walks;
    u32 wrong;
};

/* Everybody's turn, again and again; `flush`: as a kernel would have to whose TLB does not tell
 * processes apart. */
static struct turns take_turns(struct process *processes, bool flush)
{
    struct turns t = {0};
    struct pmu_snapshot s;

    for (u32 round = 0; round < ROUNDS; round++) {
        if (round == 1) /* the first one brings all in */
            pmu_snapshot(&s);
        for (u32 i = 0; i < NR_GRANULES; i++) {
            if (flush)
                flush_tlb_all();
            t.wrong += sized_process_few(&processes[i], FEW, KEY, false);
        }
    }
    pmu_since(&s);
    t.cycles = s.cycles / ((ROUNDS - 1) * NR_GRANULES);
    t.walks = s.event[GRANULE_EVENT_WALKS] * 100 / ((ROUNDS - 1) * NR_GRANULES);
    return t;
}

static void turns(struct process *processes)
{
    struct turns kept = take_turns(processes, false);
    struct turns flushed = take_turns(processes, true);

    kprintf("  a turn of %u words: %llu cycles, with a flush %llu\n", FEW, kept.cycles,
            flushed.cycles);
    figure("G.turn", "a turn after a process of another page size", (s64)kept.cycles * E6,
           "cycles");
    figure("G.turn-flush", "the same with a flush at the switch", (s64)flushed.cycles * E6,
           "cycles");
    figure("G.turn-walks", "walks in a turn", (s64)kept.walks * E6 / 100, "walks");
    figure("G.turn-walks-flush", "walks in a turn with a flush", (s64)flushed.walks * E6 / 100,
           "walks");
    invariant("G.turns", "words that a turn reads wrong", kept.wrong + flushed.wrong);
}

/* The second of two switches, whose code is in the cache; `sized`: with the page size. */
static u64 switch_cycles(struct process *processes, bool sized)
{
    u64 start = 0;

    for (u32 i = 0; i < 2 * NR_GRANULES; i++) {
        struct sized_mm *s = &processes[i % NR_GRANULES].space;

        if (i == NR_GRANULES)
            start = pmu_cycles();
        if (sized)
            sized_switch(s);
        else
            mm_switch(s->mm); /* nothing is accessed by user addresses here */
    }
    return (pmu_cycles() - start) / NR_GRANULES;
}

struct left {
    u32 own, others;
};

/* Entries that an invalidation of one process's memory by range leaves, as if its pages were those
 * of `granule`; all have some when it comes. */
static struct left left_after(struct process *processes, u32 which, const struct geometry *granule)
{
    struct sized_mm named = processes[which].space;
    struct left left = {0};

    for (u32 i = 0; i < NR_GRANULES; i++)
        sized_process_few(&processes[i], FEW, KEY, false);
    for (u32 i = 0; i < NR_GRANULES; i++) /* brings what counting needs into the TLB */
        entries(&processes[i]);
    for (u32 i = 0; i < NR_GRANULES; i++)
        left.others -= i == which ? 0 : entries(&processes[i]);
    named.geometry = *granule;
    sized_flush(&named, E005_BASE, E005_BASE + E005_BYTES);
    left.own = entries(&processes[which]);
    for (u32 i = 0; i < NR_GRANULES; i++)
        left.others += i == which ? 0 : entries(&processes[i]);
    return left;
}

static void invalidations(struct process *processes)
{
    u32 stale = 0, others = 0, wrong = 0;

    if (!tlb_view_present())
        return;
    for (u32 i = 0; i < NR_GRANULES; i++) {
        struct left by_another =
            left_after(processes, i, &processes[(i + 1) % NR_GRANULES].space.geometry);
        struct left left = left_after(processes, i, &processes[i].space.geometry);

        wrong += by_another.own;
        stale += left.own;
        others += (left.others != 0) + (by_another.others != 0);
    }
    kprintf("  entries left by a range of its pages: %u, of other pages: %u\n", stale, wrong);
    invariant("G.stale", "entries of a process after a range of its page size", stale);
    invariant("G.others", "times that others lost an entry by it", others);
    figure("G.wrong", "entries that a range of another page size leaves", wrong * E6, "entries");
}

void e005_together(struct process *processes)
{
    for (u32 i = 0; i < NR_GRANULES; i++)
        sized_process_few(&processes[i], FEW, KEY, true);
    turns(processes);
    figure("G.switch", "switch of TTBR0, ASID and page size",
           (s64)switch_cycles(processes, true) * E6, "cycles");
    figure("G.switch-same", "switch of TTBR0 and ASID", (s64)switch_cycles(processes, false) * E6,
           "cycles");
    sized_switch(NULL);
    invalidations(processes);
}
