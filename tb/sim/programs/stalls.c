// Cycles lost, by reason, while it does one thing; test_events.py says what must come out.
#include "granule_cache.h"
#include "stall_counters.h"
#include "tables.h"

int failures;
static uint32_t lines[64 * 16] __attribute__((aligned(4096)));
static uint8_t stack[512] __attribute__((aligned(16)));
static const uint32_t PAGES = 0x10000000;

// Twice, so that the second time finds the code in its cache.
static void measure(const char *cause, void (*prepare)(void), void (*act)(void))
{
    for (int i = 0; i < 2; i++) {
        stall_counters_begin();
        prepare();
        stall_counters_start();
        act();
        stall_counters_stop();
    }
    stall_counters_print(cause);
}

static void nothing(void)
{
}

static void straight(void)
{
    __asm__ volatile(".rept 200\n	nop\n	.endr");
}

static void branches(void)
{
    __asm__ volatile("	li t0, 100\n1:	addi t0, t0, -1\n	bnez t0, 1b" ::: "t0");
}

static void hazards(void)
{
    __asm__ volatile(".rept 50\n	lw t0, 0(%0)\n	addi t0, t0, 1\n	.endr" ::"r"(lines)
                     : "t0");
}

static void divisions(void)
{
    __asm__ volatile(".rept 10\n	divu t0, %0, %0\n	.endr" ::"r"(7) : "t0");
}

static void csrs(void)
{
    __asm__ volatile(".rept 25\n	csrw mscratch, zero\n	.endr");
}

static void fence_i(void)
{
    __asm__ volatile("fence.i");
}

static void new_code(void)
{
    __asm__ volatile("	.balign 64\n	.rept 16 * 24\n	nop\n	.endr"); // 24 lines
}

static void drop_lines(void)
{
    REG32(GRANULE_CACHE_BASE + GRANULE_CACHE_MAINTAIN) = 3;
}

static void loads_of_new_lines(void)
{
    for (uint32_t i = 0; i < 20; i++)
        __asm__ volatile("lw zero, 0(%0)" ::"r"(lines + 16 * i) : "memory");
}

static void stores_to_new_lines(void)
{
    for (uint32_t i = 0; i < 20; i++)
        __asm__ volatile("sw zero, 0(%0)" ::"r"(lines + 16 * i) : "memory");
}

static void environment_calls(void)
{
    __asm__ volatile(".rept 10\n	ecall\n	.endr" ::: "memory");
}

static void nothing_in_the_tlb(void)
{
    CSR_CLEAR(mstatus, 3 << 11);
    CSR_SET(mstatus, SUPERVISOR << 11);
    tlbi(ALL, 0);
}

// Loads are S-mode's, through the MMU; the code stays M-mode's.
static void loads_of_new_pages(void)
{
    CSR_SET(mstatus, 1 << 17);
    for (uint32_t i = 0; i < 6; i++)
        __asm__ volatile("lw zero, 0(%0)" ::"r"(PAGES + i * page_size()) : "memory");
    CSR_CLEAR(mstatus, 1 << 17);
}

static uint32_t at_once(uint32_t n)
{
    return n;
}

static void fetch_of_a_new_page(void)
{
    run_in(SUPERVISOR, at_once, 0, stack + sizeof stack);
}

// The timer is at once due for nobody: its interrupt is enabled, and machine mode is not
// interrupted.
static void timer_in_500_cycles(void)
{
    CSR_CLEAR(mstatus, 1 << 3);
    REG32(GRANULE_TIMER_BASE + 0x4004) = 0;
    REG32(GRANULE_TIMER_BASE + 0x4000) = REG32(GRANULE_TIMER_BASE + 0xbff8) + 500;
    CSR_SET(mie, 1 << 7);
}

static void wait_for_it(void)
{
    __asm__ volatile("wfi");
    CSR_CLEAR(mie, 1 << 7);
}

int main(void)
{
    choose_granule();
    mmu_on();
    for (uint32_t i = 0; i < 6; i++)
        map(PAGES + i * page_size(), (uint32_t)lines & ~(page_size() - 1), KERNEL_DATA);
    measure("nothing", nothing, nothing);
    measure("straight", nothing, straight);
    measure("branches", nothing, branches);
    measure("hazards", nothing, hazards);
    measure("divisions", nothing, divisions);
    measure("csrs", nothing, csrs);
    measure("new_code", fence_i, new_code);
    measure("loads", drop_lines, loads_of_new_lines);
    measure("stores", drop_lines, stores_to_new_lines);
    measure("traps", nothing, environment_calls);
    measure("pages", nothing_in_the_tlb, loads_of_new_pages);
    measure("fetch", nothing_in_the_tlb, fetch_of_a_new_page);
    measure("wfi", timer_in_500_cycles, wait_for_it);
    return failures;
}
