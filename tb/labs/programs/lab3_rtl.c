// Lab 3 on the RTL. The machine that the student sees is the RTL behind a transformation of
// addresses that cases.h says. Real address bits HIDDEN are always 0, so that lines, sets and pages
// look smaller; each word has HOMES homes that are loaded together, so that there seem to be fewer
// ways and entries. The student's code runs in M-mode, and only its loads of the mystery memory are
// translated (mstatus.MPRV), so that it takes no entry of the TLB.
//
// Bit 11 is always hidden. What else is in memory, the stack of the student's code and the last
// tables of the walk, lies in lines whose bit 11 is 1: it takes no line from the memory that is
// looked at. The boot arguments name a granule and a function, as in "16k ways", or several.
#include "cases.h"

#include "granule_cache.h"
#include "lab3.h"
#include "tables.h"

#define HALF      (1u << 11)
#define PHYSICAL  0x80400000u
#define NAMES     8u  // first names, and names 1 to 7 pages behind them
#define STRANGERS 16u // pages that push all others out of the TLB
#define MPRV      (1u << 17)
#define MPP       (3u << 11)
#define AS_S      (MPRV | 1u << 11)

int failures;
static uint8_t stack[4096] __attribute__((aligned(4096)));
static uint32_t outside; // an address that is not in this memory, plus one

static uint32_t real(uint32_t address)
{
    static const uint8_t hidden[] = {HIDDEN};
#pragma GCC unroll 8
    for (unsigned i = 0; i < sizeof hidden; i++)
        address = address >> hidden[i] << (hidden[i] + 1) | (address & ((1u << hidden[i]) - 1));
    return address;
}

// Descriptors of what begins here lie in the second half of 4 KiB of their table.
static uint32_t window(uint32_t number)
{
    return 0x20000000u + (HALF / 8 << PAGE_SHIFT) + (number << (PAGE_SHIFT + 9));
}

static uint32_t name_of(uint32_t home, uint32_t pages)
{
    return window(home * NAMES + pages) + (pages << PAGE_SHIFT);
}

static inline __attribute__((always_inline)) uint32_t timed(uint32_t va)
{
    uint32_t start, end;
    __asm__ volatile("csrs mstatus, %3\n"
                     "csrr %0, cycle\n"
                     "lw %1, 0(%2)\n"
                     "mv %1, %1\n" // waits for the word
                     "csrr %1, cycle\n"
                     "csrc mstatus, %4\n"
                     : "=&r"(start), "=&r"(end)
                     : "r"(va), "r"(AS_S), "r"(MPRV)
                     : "memory");
    return end - start;
}

uint32_t memory_bytes(void)
{
    return BYTES;
}

__attribute__((aligned(64), noinline)) uint32_t load(uint32_t address)
{
    uint32_t taken = 0;
    if (address >= BYTES || address % 4) {
        outside = address + 1;
        return 0;
    }
    address = real(address);
    for (uint32_t home = 0; home < HOMES; home++)
        taken += timed(name_of(home, 0) + address);
    return taken;
}

__attribute__((aligned(64), noinline)) uint32_t load_under(uint32_t address, uint32_t pages)
{
    uint32_t taken = 0;
    const uint32_t at = real(address);
    if (at >> PAGE_SHIFT || address % 4 || pages - 1 >= NAMES - 1) {
        outside = address + 1;
        return 0;
    }
    for (uint32_t home = 0; home < HOMES; home++)
        taken += timed(name_of(home, pages) + at);
    return taken;
}

__attribute__((noinline)) void forget_translations(void)
{
    for (uint32_t page = 0; page < STRANGERS; page++)
        timed(window(HOMES * NAMES) + (page << PAGE_SHIFT) + HALF);
}

void forget_lines(void)
{
    REG32(GRANULE_CACHE_BASE + GRANULE_CACHE_MAINTAIN) =
        GRANULE_CACHE_MAINTAIN_CLEAN_MASK | GRANULE_CACHE_MAINTAIN_INVALIDATE_MASK;
}

void show(const char *name, uint32_t value)
{
    char digits[12], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = '0' + value % 10;
    while (value /= 10);
    puts_(name);
    put(' ');
    puts_(at);
    put('\n');
}

static uint32_t policy_of(uint32_t count, uint32_t step, uint32_t aside)
{
    uint32_t places[count];
    for (uint32_t i = 0; i < count; i++)
        places[i] = i * step + (aside ? i * aside % step : 0);
    return policy(places, count);
}

static uint32_t policy_of_cache(void)
{
    return policy_of(CACHE_COUNT, CACHE_STEP, 0);
}

static uint32_t policy_of_tlb(void)
{
    return policy_of(TLB_COUNT, TLB_STEP, TLB_ASIDE);
}

static uint32_t explored(void)
{
    explore();
    return 0;
}

static uint32_t on_stack(uint32_t (*function)(void))
{
    register uint32_t answer __asm__("a0");
    __asm__ volatile("mv s1, sp\n"
                     "mv sp, %1\n"
                     "jalr %2\n"
                     "mv sp, s1\n"
                     : "=r"(answer)
                     : "r"(stack + sizeof stack), "r"(function)
                     : "s1", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4",
                       "a5", "a6", "a7", "memory");
    return answer;
}

static const struct {
    const char *name;
    uint32_t (*run)(void);
} asked[] = {
    {"line", line_bytes},       {"ways", ways},         {"way", way_bytes},
    {"page", page_bytes},       {"entries", entries},   {"colours", colours},
    {"cache", policy_of_cache}, {"tlb", policy_of_tlb}, {"explore", explored},
};

// Whether `line` begins with this word.
static int begins(const char *line, const char *word)
{
    while (*word && *word == *line)
        word++, line++;
    return !*word && (!*line || *line == ' ');
}

static void ask(const char *words)
{
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++)
        if (begins(words, asked[i].name)) {
            forget_translations();
            forget_lines();
            const uint32_t answer = on_stack(asked[i].run);
            if (asked[i].run != explored)
                put_value(asked[i].name, answer);
        }
}

static void map_memory(void)
{
    for (uint32_t home = 0; home < HOMES; home++)
        for (uint32_t pages = 0; pages < NAMES; pages++)
            for (uint32_t i = 0; i < (pages ? 1 : PAGES); i++)
                map(name_of(home, pages) + (i << PAGE_SHIFT),
                    PHYSICAL + ((home * PAGES + i) << PAGE_SHIFT), KERNEL_DATA);
    for (uint32_t page = 0; page < STRANGERS; page++)
        map(window(HOMES * NAMES) + (page << PAGE_SHIFT), PHYSICAL + (HOMES * PAGES << PAGE_SHIFT),
            KERNEL_DATA);
}

int main(void)
{
    const char *words = boot_command_line;
    choose_granule();
    mmu_on();
    map_memory();
    CSR_CLEAR(mstatus, MPP);
    CSR_SET(mstatus, 1u << 11);
    for (; *words; words++)
        if (*words == ' ')
            ask(words + 1);
    if (trap.count)
        put_value("fault", trap.value);
    if (outside)
        put_value("outside", outside - 1);
    return 0;
}
