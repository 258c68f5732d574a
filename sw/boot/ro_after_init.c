/* What boot decided (init.h) may never change: a digest of it, taken at boot and at the end. */
#include "boot/boot.h"

u32 ro_after_init_at_boot;

extern const u32 __ro_after_init_start[], __ro_after_init_end[];

u32 ro_after_init_digest(void)
{
    u32 digest = 2166136261u; /* FNV-1a over words */

    for (const u32 *word = __ro_after_init_start; word < __ro_after_init_end; word++)
        digest = (digest ^ *word) * 16777619u;
    return digest;
}
