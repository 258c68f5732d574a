// Lab 2 on the RTL: maps an arena of PAGES pages as cases.h says, and asks the student's code in
// S-mode. Prints `chase PAGES HUNDREDTHS`, `reach PAGES`, and `fault STATUS ADDRESS`.
#include "cases.h"

#include "lab.h"
#include "lab2.h"

#define BASE       0x20000000u
#define PHYSICAL   0x80800000u
#define CONTIGUOUS (1ull << 52)

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

static uint32_t asked(uint32_t (*function)(uint32_t), uint32_t argument)
{
    const uint32_t before = trap.count;
    tlbi(ALL, 0);
    const uint32_t answer = in_s(function, argument);
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
    let_all_count();
    mmu_on();
    arena = (struct arena){BASE, page_size(), PAGES};
    for (uint32_t i = 0; i < PAGES; i++) {
        const uint32_t offset = i << granule.shift;
        map(BASE + offset, PHYSICAL + offset, KERNEL_DATA | (GROUPS ? CONTIGUOUS : 0));
    }
    for (uint32_t i = 0; i < LENGTH(tried); i++) {
        const uint32_t hundredths = asked(call_chase, tried[i]);
        SAY("chase", tried[i], hundredths);
    }
    if (FIND)
        put_value("reach", asked(call_reach, 0));
    return failures;
}
