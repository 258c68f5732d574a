// A process that is paged in on demand with 128-bit entries, into fewer frames than it has pages.
// Hardware notes access and change in the entries, and pages go by what it noted.
#include "d128_tables.h"

int failures;
static uint8_t stack[4096] __attribute__((aligned(16)));

#define PROCESS 0x30000000u
#define PAGES   12
#define FRAMES  5
#define USED    4096 // of each page, however large

static uint8_t image[PAGES][LARGEST] __attribute__((aligned(LARGEST)));
static uint8_t frames[FRAMES][LARGEST] __attribute__((aligned(LARGEST)));
static unsigned owner[FRAMES], turn;
static struct {
    uint32_t installed, evicted, written_back, loads, stores, fetches, wrong;
} count;

static void copy(void *to, const void *from)
{
    for (unsigned i = 0; i < USED / 4; i++)
        ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
}

// What hardware noted in the entry says whether the page must be kept.
static void evict(unsigned n)
{
    const unsigned page = owner[n] - 1;
    const uint32_t va = PROCESS + page * page_size();
    volatile struct entry *entry = entry_of(va, 3);
    count.wrong += !(entry->low & ACCESSED);
    if (!(entry->low & NOT_DIRTY)) {
        copy(image[page], frames[n]);
        count.written_back++;
    } else {
        for (unsigned i = 0; i < USED / 4; i += 61)
            count.wrong += ((uint32_t *)image[page])[i] != ((uint32_t *)frames[n])[i];
    }
    write_entry(entry, 0, 0);
    tlbi_va(va, 1);
    count.evicted++;
}

static void page_in(uint32_t cause, uint32_t va)
{
    const uint32_t page = (va - PROCESS) / page_size();
    count.wrong += page >= PAGES || (MMU(ESR_LO) & 0x3c) != 0x04;
    count.loads += cause == 13;
    count.stores += cause == 15;
    count.fetches += cause == 12;
    const unsigned n = turn++ % FRAMES;
    if (owner[n])
        evict(n);
    owner[n] = page + 1;
    copy(frames[n], image[page]);
    if (page == 0)
        __asm__ volatile("fence.i" ::: "memory");
    write_entry(entry_of(va, 3), (uint32_t)frames[n] | VALID | SHARED | NOT_DIRTY | NON_GLOBAL,
                RIGHTS(page == 0 ? USER_RUNS : USER_READS_WRITES) | SOFTWARE);
    count.installed++;
}

// The process has the kernel's stack in sp: M-mode knows no other.
__attribute__((interrupt("machine"), used)) static void pager(void)
{
    page_in(CSR_READ(mcause), CSR_READ(mtval));
}

// Calls go to where run_in() waits for them; everything else is a page fault. The process fills its
// pages and adds them up, twice, and calls with the sum.
__asm__(".balign 4\n"
        "to_pager: csrw mscratch, t0\n"
        "  csrr t0, mcause\n"
        "  addi t0, t0, -8\n"
        "  beqz t0, 1f\n"
        "  csrr t0, mscratch\n"
        "  j pager\n"
        "1: csrr t0, mscratch\n"
        "  j trap_entry\n"
        "process: lui t0, 0x30000\n"
        "  li t6, 2\n"
        "  li a1, 0\n"
        "again: mv t1, t0\n"
        "  li t2, 11\n"
        "fill: add t1, t1, a0\n"
        "  sw t1, 8(t1)\n"
        "  addi t2, t2, -1\n"
        "  bnez t2, fill\n"
        "  mv t1, t0\n"
        "  li t2, 11\n"
        "sum: add t1, t1, a0\n"
        "  lw t3, 8(t1)\n"
        "  add a1, a1, t3\n"
        "  addi t2, t2, -1\n"
        "  bnez t2, sum\n"
        "  addi t6, t6, -1\n"
        "  bnez t6, again\n"
        "  mv a0, a1\n"
        "  ecall\n"
        "process_end:\n");
extern uint32_t to_pager[], process[], process_end[];

static void pages_come_on_demand(void)
{
    for (unsigned i = 0; &process[i] < process_end; i++)
        ((uint32_t *)image[0])[i] = process[i];
    set_tcr(HA | HD);
    const uint32_t before = CSR_READ(mtvec);
    CSR_WRITE(mtvec, to_pager);
    const uint32_t sum =
        run_in(USER, (uint32_t(*)(uint32_t))PROCESS, page_size(), stack + sizeof stack);
    CSR_WRITE(mtvec, before);
    EXPECT(sum, 2 * (11 * PROCESS + 66 * page_size()));
    EXPECT(count.wrong, 0);
    EXPECT(count.installed, count.loads + count.stores + count.fetches);
    EXPECT(count.installed - count.evicted, FRAMES);
    EXPECT(count.written_back >= 22 - FRAMES, 1);
    EXPECT(count.written_back < count.evicted, 1); // the code never, and what was only read
    EXPECT(count.fetches > 1, 1);
    for (unsigned n = 0; n < FRAMES; n++)
        evict(n);
    for (unsigned page = 1; page < PAGES; page++)
        EXPECT(((uint32_t *)image[page])[2], PROCESS + page * page_size());
    put_value("installed", count.installed);
    put_value("written_back", count.written_back);
    set_tcr(0);
}

int main(void)
{
    choose_granule();
    d128_on();
    pages_come_on_demand();
    return failures;
}
