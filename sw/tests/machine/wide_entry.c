/* Entries of 128 bits (VMSAv9-128, spec 10.4 to 10.7) as hardware reads them, written from the
 * specification and not from mm/pte_slot.h: what is not defined must be 0. */
#include "machine.h"

#define BIT_OF(n) (BIT((n) % 32)) /* in its word */

#define LOW_DEFINED  (BIT_OF(0) | 7u << 2 | BIT_OF(7) | 3u << 8 | BIT_OF(10) | BIT_OF(11) | ~0xfffu)
#define HIGH_DEFINED 0xffffu /* addresses of 48 bits are more than there is memory */
#define TOP_DEFINED  (0x1fu | 3u << 13 | 15u << 19)
#define SKL(top)     ((top) >> 13 & 3)
#define PI_INDEX(w)  ((w) >> 19 & 15)

static bool executes(u64 nibble)
{
    return nibble == 2 || nibble == 3 || nibble == 7;
}

static pte_t rights(u32 top)
{
    u64 el1 = PIR_VALUE >> 4 * PI_INDEX(top) & 15, el0 = PIRE0_VALUE >> 4 * PI_INDEX(top) & 15;

    if (executes(el1) && el0 == 5) /* neither may do anything then */
        machine_failed("permission index %u is useless", PI_INDEX(top));
    if (!el1)
        machine_failed("permission index %u means nothing", PI_INDEX(top));
    return (el0 ? PTE_USER : 0) | (executes(el1) ? 0 : PTE_PXN) | (executes(el0) ? 0 : PTE_UXN);
}

pte_t wide_entry_value(const u32 word[4], unsigned level)
{
    u32 top = word[3];
    pte_t value = (word[0] & ~0xfffull) | (u64)word[1] << 32;

    if (!(word[0] & 1))
        return 0;
    if (word[0] & ~LOW_DEFINED || word[1] & ~HIGH_DEFINED || word[2] || top & ~TOP_DEFINED)
        machine_failed("entry %08x_%08x_%08x_%08x has bits that mean nothing", top, word[2],
                       word[1], word[0]);
    if (level + SKL(top) > LEAF_LEVEL)
        machine_failed("an entry of level %u skips %u levels", level, SKL(top));
    if (level + SKL(top) < LEAF_LEVEL) {
        if (SKL(top))
            machine_failed("a table of level %u has %u levels in one", level, SKL(top) + 1);
        return value | PTE_TABLE;
    }
    value |= (word[0] & 0xfff) | rights(top) | (top & 1 ? PTE_DIRTY : 0);
    value |= top & 2 ? PTE_SPECIAL : 0;
    return value | (level == LEAF_LEVEL ? PTE_TABLE : PTE_BLOCK | PTE_SKIP(SKL(top)));
}
