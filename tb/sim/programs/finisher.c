// What the finisher does not know does nothing; the reset that it knows ends the run at its store.
#include "soc.h"

int main(void)
{
    const uint32_t others[] = {0, 1, 0x55550000, 0x77770000, 0x5554};

    for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
        REG32(GRANULE_FINISHER_BASE) = others[i];
    REG32(GRANULE_FINISHER_BASE + 4) = GRANULE_FINISHER_FAIL;
    EXPECT(REG32(GRANULE_FINISHER_BASE), 0);
    puts_("resets\n");
    REG32(GRANULE_FINISHER_BASE) = GRANULE_FINISHER_RESET;
    puts_("never reached\n");
    return failures;
}
