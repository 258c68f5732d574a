// Says what the system says about itself.
#include "granule_sysinfo.h"
#include "soc.h"

int main(void)
{
    EXPECT(REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_MAGIC), 0x4c4e5247);
    puts_("name ");
    for (unsigned i = 0; i < 16; i++) {
        const char c =
            REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_NAME0 + (i & ~3)) >> 8 * (i & 3);
        if (c)
            put(c);
    }
    put('\n');
    put_value("version", REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_VERSION));
    put_value("lowmem", REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_LOWMEM_BYTES));
    put_value("highmem", REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_HIGHMEM_BYTES));
    put_value("clock", REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_CLOCK_HZ));
    put_value("flags", REG32(GRANULE_SYSINFO_BASE + GRANULE_SYSINFO_FLAGS));
    return failures;
}
