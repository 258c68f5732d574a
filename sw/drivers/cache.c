#include "drivers/cache.h"
#include "drivers/device.h"
#include "granule_cache.h"
#include "granule_map.h"

#define REG(name) (GRANULE_CACHE_BASE + GRANULE_CACHE_##name)

#define GET(name, value) (((value)&GRANULE_CACHE_##name##_MASK) >> GRANULE_CACHE_##name##_SHIFT)

/* CLIDR.Ctype1 (spec 1.6) */
#define CTYPE_INSTRUCTION 1u
#define CTYPE_DATA        2u
#define CTYPE_SEPARATE    3u
#define CTYPE_UNIFIED     4u

static bool exists(enum cache_kind kind)
{
    u32 type = GET(CLIDR_CTYPE1, device_read(REG(CLIDR)));

    if (kind == CACHE_INSTRUCTION)
        return type == CTYPE_INSTRUCTION || type == CTYPE_SEPARATE;
    return type == CTYPE_DATA || type == CTYPE_SEPARATE || type == CTYPE_UNIFIED;
}

/* What CCSIDR describes from now on. Level 1 is coded 0. */
static bool select(enum cache_kind kind)
{
    device_write(REG(CSSELR), kind == CACHE_INSTRUCTION ? GRANULE_CACHE_CSSELR_IND_MASK : 0);
    return exists(kind);
}

bool cache_get_info(enum cache_kind kind, struct cache_geometry *geometry)
{
    *geometry = (struct cache_geometry){0};
    if (!select(kind))
        return false;
    u32 low = device_read(REG(CCSIDR_LO)), high = device_read(REG(CCSIDR_HI));

    geometry->line_bytes = 16u << GET(CCSIDR_LO_LINESIZE, low);
    geometry->ways = GET(CCSIDR_LO_ASSOCIATIVITY, low) + 1;
    geometry->sets = GET(CCSIDR_HI_NUMSETS, high) + 1;
    return true;
}

bool cache_get_info_narrow(enum cache_kind kind, struct cache_geometry *geometry)
{
    *geometry = (struct cache_geometry){0};
    if (!select(kind))
        return false;
    u32 all = device_read(REG(CCSIDR_NARROW));

    geometry->line_bytes = 16u << GET(CCSIDR_NARROW_LINESIZE, all);
    geometry->ways = GET(CCSIDR_NARROW_ASSOCIATIVITY, all) + 1;
    geometry->sets = GET(CCSIDR_NARROW_NUMSETS, all) + 1;
    return true;
}

enum cache_policy cache_policy(void)
{
    return (enum cache_policy)GET(L1D_INFO_REPLACEMENT, device_read(REG(L1D_INFO)));
}

const char *cache_policy_name(enum cache_policy policy)
{
    static const char *const names[] = {"LRU", "tree-PLRU", "NRU", "random"};

    return names[policy];
}

enum l1d_alias_mode l1d_alias_mode(void)
{
    return (enum l1d_alias_mode)GET(L1D_INFO_ALIASES, device_read(REG(L1D_INFO)));
}

const char *l1d_alias_name(enum l1d_alias_mode mode)
{
    static const char *const names[] = {"PIPT", "VIPT with one copy of a line",
                                        "VIPT with copies of clean lines"};

    return names[mode];
}

void cache_flush_data(void)
{
    device_write(REG(MAINTAIN),
                 GRANULE_CACHE_MAINTAIN_CLEAN_MASK | GRANULE_CACHE_MAINTAIN_INVALIDATE_MASK);
}

static u32 line_bytes(void)
{
    static u32 bytes;
    struct cache_geometry geometry;

    if (!bytes && cache_get_info(CACHE_DATA, &geometry))
        bytes = geometry.line_bytes;
    return bytes;
}

/* cbo.clean and cbo.flush of every line; the compiler's assembler has no names for them. */
#define FOR_LINES(operation, start, size)                                                  \
    do {                                                                                   \
        u32 step_ = line_bytes(), end_ = (u32)(uintptr_t)(start) + (size);                 \
        for (u32 at_ = (u32)(uintptr_t)(start) & ~(step_ - 1); at_ < end_; at_ += step_)   \
            __asm__ volatile(".insn i 0x0f, 2, x0, %0, " operation ::"r"(at_) : "memory"); \
    } while (0)

void cache_clean_range(const void *start, u32 bytes)
{
    FOR_LINES("1", start, bytes);
}

void cache_flush_range(const void *start, u32 bytes)
{
    FOR_LINES("2", start, bytes);
}
