/* Sources: mm/ fs/ tests/machine/
 *
 * The hashed table at boot. A machine whose MMU has none keeps its memory. The register is a
 * stand-in, so the source is compiled in here. */
#define GRANULE_HASHED_TABLE
#define DRIVERS_DEVICE_H
#include "check.h"
#include "machine/machine.h"

static bool present;
static u64 htab;

static void device_write64(u32, u64 value)
{
    htab = present ? value : 0;
}

static u64 device_read64(u32)
{
    return htab;
}

#include "mm/hashed_table.c"

u32 sysinfo_lowmem_bytes(void)
{
    return 1 << 24;
}

u32 sysinfo_highmem_bytes(void)
{
    return 1 << 24;
}

TEST(a_machine_without_it_keeps_its_memory)
{
    char on[] = "on";

    machine_start(&(struct machine){12, 31, 512, 512, 1, ENTRY_64});
    CHECK(setup_htab(NULL) == -EINVAL);
    CHECK(setup_htab(on) == 0);
    u32 before = nr_free_pages();

    hashed_table_init();
    CHECK(nr_free_pages() == before && !groups && !hashed_table_bytes);
    present = true;
    hashed_table_init();
    CHECK(nr_free_pages() < before && groups && hashed_table_bytes);
}
