#include "drivers/sysinfo.h"
#include "drivers/device.h"
#include "granule_map.h"
#include "granule_sysinfo.h"

#define MAGIC      0x4c4e5247u /* "GRNL" */
#define FLAG_SIM   BIT(0)
#define FLAG_DMA   BIT(1)
#define FLAG_POSTS BIT(2)
#define NAME_WORDS 4

static u32 reg(u32 offset)
{
    return device_read(GRANULE_SYSINFO_BASE + offset);
}

bool sysinfo_present(void)
{
    return reg(GRANULE_SYSINFO_MAGIC) == MAGIC;
}

u32 sysinfo_lowmem_bytes(void)
{
    return reg(GRANULE_SYSINFO_LOWMEM_BYTES);
}

u32 sysinfo_highmem_bytes(void)
{
    return reg(GRANULE_SYSINFO_HIGHMEM_BYTES);
}

u32 sysinfo_clock_hz(void)
{
    return reg(GRANULE_SYSINFO_CLOCK_HZ);
}

bool sysinfo_is_simulation(void)
{
    return reg(GRANULE_SYSINFO_FLAGS) & FLAG_SIM;
}

bool sysinfo_has_dma(void)
{
    return reg(GRANULE_SYSINFO_FLAGS) & FLAG_DMA;
}

bool sysinfo_posts_tlbis(void)
{
    return reg(GRANULE_SYSINFO_FLAGS) & FLAG_POSTS;
}

const char *sysinfo_name(void)
{
    static char name[4 * NAME_WORDS + 1];

    for (u32 i = 0; i < 4 * NAME_WORDS; i++)
        name[i] = (char)(reg(GRANULE_SYSINFO_NAME0 + (i & ~3u)) >> (8 * (i & 3)));
    return name;
}
