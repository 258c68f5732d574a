#include "mm/asid.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/tlb.h"
#include "panic.h"

#define MAX_BITS 16

enum asid_policy asid_policy;
struct asid_stats asid_stats;

/* Generation 0 is that of who never ran. ASID 0 belongs to the empty address space. */
static u32 generation = 1, next = 1;
static u32 map[BIT(MAX_BITS) / 32]; /* the ASIDs that this generation has given out */

static bool is_taken(u32 asid)
{
    return map[asid / 32] & BIT(asid % 32);
}

static void give(struct mm *mm, u32 asid)
{
    map[asid / 32] |= BIT(asid % 32);
    mm->asid = asid;
    mm->asid_generation = generation;
    asid_stats.assigned++;
}

/* The flush comes first, so that no entry of the last generation meets an ASID of the new one. */
static void begin_generation(void)
{
    flush_tlb_all();
    memset(map, 0, sizeof map);
    generation++;
    asid_stats.rollovers++;
    for (struct mm *mm = all_mms; mm < all_mms + NR_MMS; mm++)
        if (mm->users && mm->asid && (mm == current_mm || mm->asid_pins))
            give(mm, mm->asid);
    next = 1;
}

static u32 free_asid(void)
{
    u32 limit = BIT(mmu_asid_bits());

    while (next < limit && is_taken(next))
        next++;
    return next < limit ? next : 0;
}

bool asid_in_force(const struct mm *mm)
{
    return asid_policy == ASID_REUSE || mm->asid_generation == generation;
}

void asid_runs(struct mm *mm)
{
    u32 asid;

    if (asid_in_force(mm))
        return;
    if (mm->asid && !is_taken(mm->asid)) { /* its own, in this generation, too */
        give(mm, mm->asid);
        return;
    }
    asid = free_asid();
    if (!asid) {
        begin_generation();
        asid = free_asid();
        BUG_ON(!asid);
    }
    give(mm, asid);
}

/* In turn, those of living address spaces left out: there are far fewer than ASIDs. */
static u32 reused_asid(void)
{
    for (;;) {
        bool taken = false;

        if (++next >= BIT(mmu_asid_bits()))
            next = 1;
        for (struct mm *mm = all_mms; mm < all_mms + NR_MMS; mm++)
            taken |= mm->users && mm->asid == next;
        if (!taken)
            return next;
    }
}

void asid_born(struct mm *mm)
{
    mm->asid = asid_policy == ASID_REUSE ? reused_asid() : 0;
}

void asid_pin(struct mm *mm)
{
    asid_runs(mm);
    mm->asid_pins++;
}

void asid_unpin(struct mm *mm)
{
    BUG_ON(!mm->asid_pins);
    mm->asid_pins--;
}

int setup_asid(char *arg)
{
    static const char *const names[] = {"generations", "reuse"};

    for (u32 i = 0; i < ARRAY_SIZE(names); i++)
        if (arg && strcmp(arg, names[i]) == 0) {
            asid_policy = (enum asid_policy)i;
            return 0;
        }
    kprintf("asid='%s' is none of generations, reuse; keeping generations\n", arg ? arg : "");
    return -EINVAL;
}
early_param("asid", setup_asid);
