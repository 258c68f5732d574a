// A process that is paged in on demand with 128-bit entries, into fewer frames than it has pages.
// Hardware notes access and change in the entries, and pages go by what it noted.
#include "d128.h"

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
    volatile uint64_t *entry = descriptor(va, 3);
    count.wrong += !(*entry & ACCESSED);
    if (!(*entry & NOT_DIRTY)) {
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
        fence_i();
    write_entry(descriptor(va, 3), (uint32_t)frames[n] | VALID | SHARED | NOT_DIRTY | NON_GLOBAL,
                RIGHTS(page == 0 ? USER_RUNS : USER_READS_WRITES) | SOFTWARE_BITS);
    count.installed++;
}

// The process has the kernel's stack in sp: M-mode knows no other.
__attribute__((interrupt("machine"), used)) static void pager(void)
{
    page_in(CSR_READ(mcause), CSR_READ(mtval));
}

// Calls go to where in_mode() waits for them; everything else is a page fault.
__asm__(".balign 4\n"
        "to_pager: csrw mscratch, t0\n"
        "  csrr t0, mcause\n"
        "  addi t0, t0, -8\n"
        "  beqz t0, 1f\n"
        "  csrr t0, mscratch\n"
        "  j pager\n"
        "1: csrr t0, mscratch\n"
        "  j trap_entry\n");
extern uint32_t to_pager[];

// Fills its pages and adds them up, twice, and calls with the sum. It runs where it is copied to.
static __attribute__((noipa)) uint32_t process(uint32_t size)
{
    register uint32_t sum __asm__("a0") = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t at = PROCESS + size; at < PROCESS + PAGES * size; at += size)
            REG32(at + 8) = at;
        for (uint32_t at = PROCESS + size; at < PROCESS + PAGES * size; at += size)
            sum += REG32(at + 8);
    }
    __asm__ volatile("ecall" ::"r"(sum));
    __builtin_unreachable();
}

static void pages_come_on_demand(void)
{
    copy(image[0], (void *)process); // and what follows it
    set_tcr(HA | HD);
    const uint32_t before = CSR_READ(mtvec);
    CSR_WRITE(mtvec, to_pager);
    const uint32_t sum = in_mode(USER, FUNCTION(PROCESS), page_size());
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
}

int main(void)
{
    choose_granule();
    format = &bits_128;
    mmu_on();
    pages_come_on_demand();
    return failures;
}
