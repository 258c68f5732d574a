// Lab 6 on the RTL. The boot arguments name a granule and what is tried, as in "16k fresh". Prints
// `BAD`, what was seen, page or slot, expected, got; and `fault ADDRESS`.
#include "cases.h"

#include "lab.h"
#include "lab6.h"

#define OWN    0x30000000u // the page through which this program looks at memory
#define AREA   0x40000000u // what the student's table maps
#define DEVICE (1ull << 2)
#define HA     (1u << 7) // in TCR_HI
#define FRAMES 256u      // pages of 64 KiB in highmem
#define TABLE  200u      // a frame for a table
#define LOW    0x80800000u
#define NONE   0x07 // translation fault, level 3
#define ROUNDS 4u

unsigned slots = SLOTS, page_shift;
static unsigned operations, stores;
static uint32_t faults;            // those that were meant to be
static int strict;                 // an old translation under a new mapping is told
static uint64_t stale[MOST_SLOTS]; // the page that the TLB may have of a slot
static void *address[MOST_SLOTS];

static uint64_t page_of(uint64_t descriptor)
{
    return descriptor >> page_shift << page_shift & 0xfffffffffffull;
}

static uint64_t frame(unsigned i)
{
    return GRANULE_HIGHMEM_BASE + ((uint64_t)((FIRST + i * STRIDE) % FRAMES) << page_shift);
}

// A place of each frame, in different sets of the cache.
static uint32_t place(unsigned i)
{
    return i * 68 & (page_size() - 4);
}

static volatile uint32_t *word(const void *page, unsigned i)
{
    return (volatile uint32_t *)((uint32_t)page + place(i));
}

static uint32_t slot_address(unsigned slot)
{
    return WINDOW + (slot << page_shift);
}

static uint64_t entry(uint32_t va)
{
    return *descriptor(va, 3);
}

// ---- what the student's code may call ----
static int outside(unsigned first, unsigned count)
{
    if (first < slots && count <= slots - first)
        return 0;
    bad("slot", first, slots - 1, first + count - 1);
    return 1;
}

// The MMU may walk for a page that was used before, whenever a table has it.
static void meanwhile(void)
{
    for (unsigned i = 0; i < slots; i++)
        if (entry(slot_address(i)) & ACCESSED)
            (void)REG32(slot_address(i));
}

uint64_t get_slot(unsigned slot)
{
    return outside(slot, 1) ? 0 : entry(slot_address(slot));
}

void set_slot(unsigned slot, uint64_t value)
{
    if (outside(slot, 1))
        return;
    volatile uint64_t *at = descriptor(slot_address(slot), 3);
    if ((*at & 1) && (*at & ACCESSED))
        stale[slot] = page_of(*at);
    if (strict && (value & 1) && stale[slot] && stale[slot] != page_of(value))
        bad("stale", slot, 0, 1);
    *at = value;
    stores++;
    meanwhile();
}

void forget(unsigned first, unsigned count)
{
    if (!count || outside(first, count))
        return;
    operations++;
    for (unsigned i = first; i < first + count; i++)
        if (!(entry(slot_address(i)) & 1))
            stale[i] = 0;
    const uint64_t tg = page_shift == 12 ? 1 : page_shift == 14 ? 2 : 3;
    if (count > 1)
        tlbi(RANGE, (uint64_t)(slot_address(first) >> page_shift) |
                        (uint64_t)(count / 2 - 1) << 39 | tg << 46 | 1ull << 48);
    if (count & 1)
        tlbi_va(slot_address(first + count - 1), 1);
    meanwhile();
}

// ---- memory as it is ----
static volatile uint32_t *look(uint64_t physical)
{
    volatile uint64_t *at = descriptor(OWN, 3);
    *at = 0;
    tlbi_va(OWN, 1);
    *at = page_of(physical) | KERNEL_DATA | 3;
    return &REG32(OWN + ((uint32_t)physical & (page_size() - 1)));
}

static uint32_t mark(unsigned i)
{
    return 0x5e000000 + (FIRST << 12) + i;
}

static void fill(unsigned pages)
{
    for (unsigned i = 0; i < pages; i++)
        *look(frame(i) + place(i)) = mark(i);
}

// ---- what is tried ----
static void *mapped(unsigned i)
{
    void *page = kmap(frame(i));
    const uint32_t offset = (uint32_t)page - WINDOW;
    if (!page)
        bad("null", i, 1, 0);
    else if (offset >> page_shift >= slots || (offset & (page_size() - 1)))
        bad("address", i, WINDOW, (uint32_t)page);
    else
        return page;
    return 0;
}

static void reads(const void *page, unsigned i)
{
    if (page)
        check("read", i, mark(i), *word(page, i));
}

// Writes through the mapping, and looks at what is in the page.
static void writes(const void *page, unsigned i)
{
    if (!page)
        return;
    *word(page, i) = ~mark(i);
    check("write", i, ~mark(i), *look(frame(i) + place(i)));
}

// Any address of the page will do.
static void free_again(const void *page)
{
    if (page)
        kunmap((const char *)page + page_size() - 4);
}

static void refused(unsigned i)
{
    check("full", i, 0, kmap(frame(i)) != 0);
}

static void map_all(void)
{
    for (unsigned i = 0; i < slots; i++)
        address[i] = mapped(i);
}

static void read_all(void)
{
    for (unsigned i = 0; i < slots; i++)
        reads(address[i], i);
}

static void use(unsigned i)
{
    void *page = mapped(i);
    reads(page, i);
    free_again(page);
}

static void use_many(void)
{
    for (unsigned i = 0; i < ROUNDS * slots; i++)
        use(i);
}

static void try_maps(void)
{
    map_all();
    read_all();
    for (unsigned i = 0; i < slots; i++)
        writes(address[i], i);
}

static void try_same(void)
{
    void *first = mapped(0), *second = mapped(0);
    check("same", 0, (uint32_t)first, (uint32_t)second);
    for (unsigned i = 1; i < slots; i++)
        mapped(i);
    free_again(first);
    refused(slots);
    reads(second, 0);
    free_again(second);
    mapped(slots);
}

static void try_full(void)
{
    map_all();
    for (unsigned i = 0; i < 3; i++)
        refused(slots + i);
    read_all();
    free_again(address[VICTIM]);
    mapped(slots);
    refused(slots + 1);
}

static void try_slots(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        map_all();
        for (unsigned i = 0; i < slots; i++)
            free_again(address[(VICTIM * round + (round & 1 ? slots - 1 - i : i)) % slots]);
    }
}

static void try_fresh(void)
{
    strict = 1;
    use_many();
}

static void try_held(void)
{
    void *first = mapped(0), *second = mapped(1);
    for (unsigned i = 2; i < ROUNDS * slots; i++)
        free_again(mapped(i));
    reads(first, 0);
    reads(second, 1);
    writes(first, 0);
}

static void few(unsigned most)
{
    if (operations > most)
        bad("operations", ROUNDS * slots, most, operations);
}

static void try_few(void)
{
    use_many();
    few(ROUNDS);
    stores = 0;
    use(ROUNDS * slots - 1);
    check("again", ROUNDS * slots - 1, 0, stores);
}

static void try_lowmem(void)
{
    for (unsigned i = 0; i <= slots; i++) {
        const uint32_t page = LOW + (i << page_shift);
        check("lowmem", i, page, (uint32_t)kmap(page));
    }
    kunmap((void *)LOW);
    map_all();
}

static void write_entry(uint64_t table, unsigned index, uint64_t value, int want)
{
    check(want ? "no slot" : "result", index, want, set_entry(table, index, value));
}

static void try_table(void)
{
    static const unsigned drawn[] = {INDEXES};
    const uint64_t table = frame(TABLE);
    *descriptor(AREA, 2) = table | 3;
    for (unsigned i = 0; i < ROUNDS * slots; i++) {
        const unsigned n = i % LENGTH(drawn);
        const unsigned index = drawn[n] << (granule.index_bits - 9);
        const uint32_t va = AREA + (index << page_shift);
        const uint64_t value = frame(i) | PRESENT | ACCESSED;
        write_entry(table, index, value, 0);
        check("entry", index, value, *look(table + 8ull * index));
        if (failures)
            return;
        reads((void *)va, i);
        write_entry(table, index, 0, 0);
        tlbi_va(va, 1);
        faults++;
        const uint32_t before = trap.count;
        (void)REG32(va);
        check("gone", index, NONE, trap.count == before ? 0 : MMU(ESR_LO) & 0x3f);
    }
    map_all();
    write_entry(table, 0, 0, -1);
}

// Only what was used must be invalidated.
static void try_unused(void)
{
    for (unsigned i = 0; i < ROUNDS * slots; i++)
        free_again(mapped(i));
    few(0);
    strict = 1;
    for (unsigned i = 0; i < ROUNDS * slots; i++)
        i & 1 ? use(i) : free_again(mapped(i));
    few(ROUNDS + 1);
}

static const struct trial trials[] = {
    {"maps", try_maps},   {"same", try_same},     {"full", try_full}, {"slots", try_slots},
    {"fresh", try_fresh}, {"held", try_held},     {"few", try_few},   {"lowmem", try_lowmem},
    {"table", try_table}, {"unused", try_unused},
};

static uint32_t run(uint32_t i)
{
    fill(ROUNDS * slots + 2);
    trials[i].run();
    return 1;
}

int main(void)
{
    const unsigned number = chosen(trials, LENGTH(trials));
    choose_granule();
    page_shift = granule.shift;
    mmu_on();
    REG32(GRANULE_MMU_BASE + GRANULE_MMU_TCR_HI) |= HA;
    map(GRANULE_UART_BASE, GRANULE_UART_BASE, KERNEL_DATA | DEVICE);
    map(GRANULE_MMU_BASE, GRANULE_MMU_BASE, KERNEL_DATA | DEVICE);
    for (unsigned i = 0; i < slots; i++)
        descriptor(slot_address(i), 3);
    if (number == LENGTH(trials))
        return 3;
    in_s(run, number);
    if (trap.count != faults)
        put_value("fault", trap.value);
    return failures != 0;
}
