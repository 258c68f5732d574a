// Lab 2 on the RTL: maps an arena of PAGES pages as cases.h says, and asks the student's code in
// S-mode. Prints `chase PAGES HUNDREDTHS`, `reach PAGES`, and `fault STATUS ADDRESS`.
#include "cases.h"

#include "lab2.h"
#include "tables.h"

#define BASE       0x20000000u
#define PHYSICAL   0x80800000u
#define CONTIGUOUS (1ull << 52)

int failures;
static uint8_t stack[8192] __attribute__((aligned(16)));
static struct arena arena;

static uint32_t call_chase(uint32_t pages)
{
    return chase(&arena, pages);
}

static uint32_t call_reach(uint32_t unused)
{
    (void)unused;
    return reach(&arena);
}

static uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t argument)
{
    const uint32_t before = trap.count;
    tlbi(ALL, 0);
    const uint32_t answer = run_in(SUPERVISOR, function, argument, stack + sizeof stack);
    if (trap.count != before) {
        put_value("fault", trap.value);
        failures++;
    }
    return answer;
}

int main(void)
{
    static const uint32_t tried[] = {TRIED};
    choose_granule();
    CSR_WRITE(mcounteren, 0xffffffff);
    CSR_WRITE(scounteren, 0xffffffff);
    mmu_on();
    arena = (struct arena){BASE, page_size(), PAGES};
    for (uint32_t i = 0; i < PAGES; i++) {
        const uint32_t offset = i << granule.shift;
        map(BASE + offset, PHYSICAL + offset, KERNEL_DATA | (GROUPS ? CONTIGUOUS : 0));
    }
    for (uint32_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        const uint32_t hundredths = in_s(call_chase, tried[i]);
        puts_("chase ");
        put_hex(tried[i]);
        put(' ');
        put_hex(hundredths);
        put('\n');
    }
    if (FIND)
        put_value("reach", in_s(call_reach, 0));
    return failures;
}
