// Cycles lost, by reason, while it does one thing; test_events.py says what must come out.
#include "causes.h"

static void straight(void)
{
    __asm__ volatile(".rept 200\n	nop\n	.endr");
}

static void branches(void)
{
    __asm__ volatile(".rept 99\n	beq zero, zero, . + 12\n	nop\n	nop\n	.endr");
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

static void stores_to_new_lines(void)
{
    for (uint32_t i = 0; i < 20; i++)
        REG32(LINES + 64 * i) = 0;
}

static void environment_calls(void)
{
    __asm__ volatile(".rept 10\n	ecall\n	.endr" ::: "memory");
}

// The timer is at once due for nobody: its interrupt is enabled, and machine mode is not
// interrupted.
static void timer_in_500_cycles(void)
{
    CSR_CLEAR(mstatus, 1 << 3);
    MTIMECMP(1) = 0;
    MTIMECMP(0) = MTIME(0) + 500;
    CSR_SET(mie, 1 << TIMER);
}

static void wait_for_it(void)
{
    __asm__ volatile("wfi");
    CSR_CLEAR(mie, 1 << TIMER);
}

int main(void)
{
    static const struct cause causes[] = {
        {"nothing", nothing, nothing},
        {"straight", nothing, straight},
        {"branches", nothing, branches},
        {"hazards", nothing, hazards},
        {"divisions", nothing, divisions},
        {"csrs", nothing, csrs},
        {"new_code", fence_i, new_code},
        {"loads", clean_and_drop_lines, new_lines},
        {"stores", clean_and_drop_lines, stores_to_new_lines},
        {"traps", nothing, environment_calls},
        {"pages", nothing_in_the_tlb, pages_of_a_table},
        {"fetch", nothing_in_the_tlb, into_supervisor},
        {"wfi", timer_in_500_cycles, wait_for_it},
        {0},
    };
    translate();
    measure(causes, stall_counters_begin, stall_counters_print);
    return failures;
}
