// Lab 8 on the RTL: what a student's test uses. The boot argument names a granule. Prints
// `REPORT what WHERE EXPECTED GOT` when the test says so, and `CRASH CAUSE PC` when it breaks.
#include "lab.h"
#include "lab8.h"

#define SUM   (1u << 18)
#define STUBS 0x7f000000u

unsigned page_shift, start_level;
static uint32_t faults; // that accesses of the test had

static const uint32_t load_code[] = {0x00052503, 0x00000073};  // lw a0, 0(a0); ecall
static const uint32_t store_code[] = {0x00a52023, 0x00000073}; // sw a0, 0(a0); ecall
static const uint32_t plain_code[] = {0x02a00513, 0x00000073}; // li a0, 42; ecall
static uint32_t stubs[65536 / 4] __attribute__((aligned(65536)));

static void put_words(uint32_t physical, const uint32_t *code)
{
    word_at(physical)[0] = code[0];
    word_at(physical)[1] = code[1];
    __asm__ volatile("fence.i" ::: "memory");
}

void put_code(uint32_t physical)
{
    put_words(physical, plain_code);
}

volatile uint64_t *descriptor_of(uint32_t va, unsigned level)
{
    return descriptor(va, level);
}

// A trap that no access of the test had.
static void look_for_a_crash(void)
{
    if (trap.count == faults)
        return;
    SAY("CRASH", trap.cause, trap.pc);
    faults = trap.count;
}

static struct outcome run(enum who who, uint32_t function, uint32_t argument)
{
    look_for_a_crash();
    const uint32_t before = trap.count;
    const enum mode mode = who == KERNEL ? SUPERVISOR : USER;
    const uint32_t value =
        run_in(mode, (uint32_t(*)(uint32_t))function, argument, stack + sizeof stack);
    if (trap.count == before)
        return (struct outcome){0, 0, value};
    faults += trap.count - before;
    const uint32_t esr = MMU(ESR_LO);
    return (struct outcome){esr & 0x3f, esr >> 6 & 1, 0};
}

struct outcome read_at(enum who who, uint32_t va)
{
    return run(who, who == KERNEL ? (uint32_t)load : STUBS, va);
}

struct outcome write_at(enum who who, uint32_t va)
{
    return run(who, who == KERNEL ? (uint32_t)store : STUBS + sizeof load_code, va);
}

struct outcome execute_at(enum who who, uint32_t va)
{
    return run(who, va, 0);
}

void use_space(uint16_t asid)
{
    write_pair(GRANULE_MMU_TTBR0_LO, (uint32_t)user_table | (uint64_t)asid << 48);
}

void invalidate(enum kind kind, uint64_t operand)
{
    tlbi((enum tlbi)kind, operand);
}

uint32_t walks(void)
{
    return count_walks();
}

void report(const char *what, uint32_t where, uint32_t expected, uint32_t got)
{
    look_for_a_crash();
    puts_("REPORT ");
    SAY(what, where, expected, got);
    REG32(GRANULE_FINISHER_BASE) = 1 << 16 | GRANULE_FINISHER_FAIL;
    for (;;)
        ;
}

int main(void)
{
    choose_granule();
    page_shift = granule.shift;
    start_level = granule.start_level;
    mmu_on();
    CSR_SET(mstatus, SUM);
    put_words((uint32_t)stubs, load_code);
    put_words((uint32_t)stubs + sizeof load_code, store_code);
    map(STUBS, (uint32_t)stubs, USER_CODE & ~NON_GLOBAL);
    test();
    look_for_a_crash();
    return 0;
}
