// Lab 5 on the RTL: loops that read one word of each of some places, over an empty cache and with
// all translations in the TLB. The boot arguments name a granule and how the places are mapped:
//
//     lines     frames of their own, places a way apart: lines of one set
//     one       untouched pages, with one zero page
//     student   the same, with the zero pages that the student's code chooses
//
// cases.h has PLACES and PASSES. Prints `misses N`, `pages N`, zero pages in use, and `outside N`,
// the number of a zero page that there is not.
#include "cases.h"

#include "granule_cache.h"
#include "lab.h"
#include "lab5.h"

#define BASE        0x20000000u
#define PHYSICAL    0x80400000u
#define MOST_ZERO   32u   // zero pages that there is memory for
#define ASIDE       0xc0u // another line of a page, which brings its translation
#define MISSES      0xc08 // hpmcounter of the event; checked below
#define CACHE(name) REG32(GRANULE_CACHE_BASE + GRANULE_CACHE_##name)
_Static_assert(GRANULE_EVENT_COUNTER(GRANULE_EVENT_L1D_MISS) == MISSES, "the event has moved");

static struct machine machine;
static uint32_t stride;

static void read_pass(uint32_t at)
{
    for (uint32_t i = 0; i < PLACES; i++, at += stride)
        (void)REG32(at);
}

static uint32_t warm(uint32_t base)
{
    read_pass(base + ASIDE);
    return 0;
}

static uint32_t misses(uint32_t base)
{
    uint32_t step = stride;
    __asm__ volatile("" : "+r"(step)); // is read before anything is counted
    const uint32_t before = CSR_READ(0xc08);
    for (uint32_t pass = 0; pass < PASSES; pass++)
        for (uint32_t i = 0, at = base; i < PLACES; i++, at += step)
            (void)REG32(at);
    return CSR_READ(0xc08) - before;
}

static uint32_t pages_in_use(uint32_t used)
{
    uint32_t count = 0;
    for (; used; used &= used - 1)
        count++;
    return count;
}

static void map_lines(void)
{
    stride = (CACHE(CCSIDR_HI) + 1) * (16u << (CACHE(CCSIDR_LO) & 7));
    for (uint32_t at = 0; at < PLACES * stride; at += page_size())
        map(BASE + at, PHYSICAL + at, KERNEL_DATA);
}

// One zero page for each number that was chosen; whether the student chooses.
static void map_zero_pages(int chosen)
{
    uint32_t used = 0;
    stride = page_size();
    for (uint32_t i = 0; i < PLACES; i++) {
        const uint32_t va = BASE + i * stride;
        const uint32_t number = chosen ? zero_page(&machine, va) : 0;
        if (number >= MOST_ZERO) {
            put_value("outside", number);
            return;
        }
        used |= 1u << number;
        map(va, PHYSICAL + number * stride, KERNEL_DATA | READ_ONLY);
    }
    put_value("pages", pages_in_use(used));
}

int main(void)
{
    const char how = *second_word();
    choose_granule();
    let_all_count();
    mmu_on();
    CACHE(CSSELR) = 0;
    machine.ccsidr = CACHE(CCSIDR_LO) | (uint64_t)CACHE(CCSIDR_HI) << 32;
    machine.tcr = MMU(TCR_LO) | (uint64_t)MMU(TCR_HI) << 32;
    if (how == 'l')
        map_lines();
    else
        map_zero_pages(how == 's');
    in_s(warm, BASE);
    in_s(warm, BASE); // what the first calls took from the TLB comes back
    CACHE(MAINTAIN) = GRANULE_CACHE_MAINTAIN_CLEAN_MASK | GRANULE_CACHE_MAINTAIN_INVALIDATE_MASK;
    put_value("misses", in_s(misses, BASE));
    if (trap.count)
        put_value("fault", trap.value);
    return 0;
}
