// Lab 7 on the RTL, at the granule of the boot arguments. Reads each area of cases.h once, from an
// empty TLB, and prints `walks START BYTES PREDICTED COUNTED`. Then reads as many pages as the TLB
// is said to reach, and one more, again and again, and prints `again PAGES COUNTED` for both: walks
// of the last round.
#include "cases.h"

#include "lab.h"
#include "lab7.h"

#define BASE   0x20000000u
#define FRAMES 0x80800000u
#define SPAN   0x200000u // what is mapped
#define STEP   1024u
#define LINE   64u

static struct area area;

// What runs in S-mode needs one translation for its code, and one for `area`.
static uint32_t nothing(uint32_t unused)
{
    (void)unused;
    return *(volatile uint32_t *)&area.start;
}

static uint32_t read_area(uint32_t unused)
{
    (void)unused;
    const uint32_t first = BASE + area.start, last = first + area.bytes - 1;
    for (uint32_t at = first; at < last; at += STEP)
        (void)*(volatile uint8_t *)at;
    (void)*(volatile uint8_t *)last;
    return 0;
}

// All its variables are in registers, so that it uses no page but those that it reads.
static uint32_t read_pages(uint32_t shift_and_count)
{
    const uint32_t shift = shift_and_count & 31, mask = (1u << shift) - 1;
    for (uint32_t i = 0; i < shift_and_count >> 5; i++)
        (void)REG32(BASE + (i << shift) + (i * LINE & mask));
    return 0;
}

static uint32_t walks_of(uint32_t (*function)(uint32_t), uint32_t argument)
{
    const uint32_t before = count_walks();
    in_s(function, argument);
    return count_walks() - before;
}

static void again(uint32_t count)
{
    const uint32_t both = count << 5 | granule.shift;
    tlbi(ALL, 0);
    walks_of(read_pages, both);
    walks_of(read_pages, both);
    SAY("again", count, walks_of(read_pages, both));
}

int main(void)
{
    static const struct area drawn[] = {AREAS};
    choose_granule();
    mmu_on();
    const struct choice choice = {granule.shift, 31};
    for (uint32_t offset = 0; offset < SPAN; offset += page_size())
        map(BASE + offset, FRAMES + offset, KERNEL_DATA);
    for (unsigned i = 0; i < LENGTH(drawn); i++) {
        area = drawn[i];
        tlbi(ALL, 0);
        const uint32_t own = walks_of(nothing, 0);
        tlbi(ALL, 0);
        const uint32_t counted = walks_of(read_area, 0) - own;
        SAY("walks", area.start, area.bytes, pages(&choice, &area), counted);
    }
    const uint32_t fitting = reach(&choice, TLB_ENTRIES) >> granule.shift;
    if (fitting << granule.shift > SPAN - page_size())
        return 0;
    again(fitting);
    again(fitting + 1);
    return 0;
}
