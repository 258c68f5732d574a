/* Boot argument entry=: the bits of an entry of the translation tables. Another size than the one
 * that was asked for would answer another question, so nothing is chosen instead. */
#include "boot/boot.h"
#include "drivers/mmu.h"
#include "errno.h"
#include "geometry.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "panic.h"

#define SMALL "64"
#define WIDE  "128"

static char wanted[16]; /* empty: what the image prefers */

static int setup_entry(char *arg)
{
    ksnprintf(wanted, sizeof wanted, "%s", arg && *arg ? arg : "nothing");
    return 0;
}
early_param("entry", setup_entry);

static const char *name_of(unsigned entry_shift)
{
    return entry_shift == ENTRY_128 ? WIDE : SMALL;
}

unsigned entry_choose(void)
{
    unsigned shift = strcmp(wanted, WIDE) == 0    ? ENTRY_128
                     : strcmp(wanted, SMALL) == 0 ? ENTRY_64
                                                  : ENTRY_SHIFT_MIN;

    if (wanted[0] && strcmp(wanted, name_of(shift)) != 0)
        panic("entry=%s: an entry of the translation tables has " SMALL " or " WIDE
              " bits; give entry=" SMALL " or entry=" WIDE,
              wanted);
    if (shift < ENTRY_SHIFT_MIN || shift > ENTRY_SHIFT_MAX)
        panic("entry=%s: this image has entries of %s bits only; boot build/sw-wide/granule.elf "
              "(make wide), which has both, or leave entry= out",
              wanted, name_of(ENTRY_SHIFT_MIN));
    if (shift == ENTRY_128 && !mmu_has_wide_entries())
        panic("entry=" WIDE ": this MMU has entries of " SMALL
              " bits only (its ID_AA64MMFR3_EL1 is 0x%llx, D128, bits 35:32, is 0); boot with "
              "entry=" SMALL ", or on a machine of configuration `wide` (build/granule-sim-wide)",
              mmu_mmfr3());
    return shift;
}
