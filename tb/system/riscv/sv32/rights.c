// Who may do what: every entry, by every access. R, W, X and U against mode, SUM and MXR; A and D,
// which nobody but software sets; and what is no entry.
#include "sv32.h"

// At `place`, for the page or superpage with its memory at `pa`; the accesses go to `va`. SUM and
// MXR matter, and a fence is needed afterwards, only where an entry allows anything: nothing else
// is remembered.
static void every_entry(volatile uint32_t *place, uint32_t pa, uint32_t va)
{
    int remembered = 0;
    for (unsigned bits = 0; bits < 256; bits++) {
        const int pointer = (bits & (V | R | W | X)) == V;
        if ((bits & G) || (pointer && place == superpage_entry(&root, va)))
            continue;
        *place = entry_for(pa, bits | 0x300); // two bits for software, which mean nothing
        if (remembered)
            fence_va(va);
        remembered = (bits & V) && (bits & A) && (bits & (R | X));
        const uint32_t entry = *place;
        for (unsigned n = 0; n < (remembered ? 4 : 1) * 2 * 6; n++) {
            const enum operation operation = n % 6;
            const enum mode mode = n / 6 % 2 ? SUPERVISOR : USER;
            const unsigned status = (n / 12 & 1 ? SUM : 0) | (n / 12 & 2 ? MXR : 0);
            if (n % 5 == 4)
                fence_va(va); // cold, else hot by another right
            check_access(&root, mode, operation, operation == DO_FETCH ? va + 0x800 : va, status);
        }
        EXPECT(*place, entry);
    }
}

// SUM and MXR act on the next access, from S-mode itself and not only by MPRV.
static uint32_t toggles_sum(uint32_t va)
{
    uint32_t value;
    __asm__ volatile("csrs sstatus, %2\nlw %0, 0(%1)\ncsrc sstatus, %2\nlw zero, 0(%1)\n"
                     : "=&r"(value)
                     : "r"(va), "r"(SUM)
                     : "memory");
    return value;
}

static void status_acts_at_once(uint32_t va)
{
    map_page(va, (uint32_t)&frames[3], USER_RW);
    frames[3].entry[7] = 0x7777;
    const uint32_t before = trap.count;
    EXPECT(in_s(toggles_sum, va + 28), 0x7777);
    EXPECT(trap.count, before + 1);
    EXPECT(trap.cause, LOAD);
    EXPECT(trap.value, va + 28);
}

int main(void)
{
    const uint32_t page = 0x10000000, superpage = 0x20000000, frame = (uint32_t)&frames[1];
    map_kernel(&root);
    sv32_on(&root, 3);
    sfence();
    write_code(&frames[1]);
    every_entry(page_entry(&root, page), frame, page);
    every_entry(superpage_entry(&root, superpage), GRANULE_LOWMEM_BASE,
                superpage + frame % SUPERPAGE);
    status_acts_at_once(page + PAGE);
    return failures;
}
