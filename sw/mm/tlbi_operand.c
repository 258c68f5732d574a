#include "mm/tlbi_operand.h"

u64 tlbi_range_operand(const struct geometry *g, u64 va, u32 asid, u32 ttl, u32 num, u32 scale)
{
    return (u64)asid << 48 | (u64)geometry_tlbi_tg(g) << 46 | (u64)scale << 44 | (u64)num << 39 |
           (u64)ttl << 37 | ((va >> g->page_shift) & (BIT64(37) - 1));
}

struct tlbi_step tlbi_next_step(u32 left)
{
    for (u32 scale = 4; left > 1 && scale-- > 0;) {
        u32 unit_shift = 5 * scale + 1;
        u32 units = MIN(left, 32u << unit_shift) >> unit_shift;

        if (units)
            return (struct tlbi_step){true, (u8)(units - 1), (u8)scale, units << unit_shift};
    }
    return (struct tlbi_step){false, 0, 0, 1};
}
