// Lab 6: a window onto memory that no pointer reaches.
#include "lab6.h"

// A slot keeps its page after the last use, until the window wraps: one invalidation does for all.
static struct {
    uint64_t page; // 0: none
    unsigned users;
} mapped[MOST_SLOTS];

static unsigned cursor; // slots before it were given away since the last sweep

static int is_lowmem(uint64_t page)
{
    return page >> 32 == 0;
}

// Only what was used can be in the TLB.
static void sweep(void)
{
    uint64_t seen = 0;
    for (unsigned i = 0; i < slots; i++)
        if (mapped[i].page && !mapped[i].users) {
            seen |= get_slot(i);
            set_slot(i, 0);
            mapped[i].page = 0;
        }
    if (seen & ACCESSED)
        forget(0, slots);
}

static unsigned slot_of(uint64_t page)
{
    unsigned i = 0;
    while (i < slots && mapped[i].page != page)
        i++;
    return i;
}

static unsigned free_slot(void)
{
    while (cursor < slots && mapped[cursor].page)
        cursor++;
    if (cursor < slots)
        return cursor;
    sweep();
    cursor = slot_of(0);
    return cursor;
}

void *kmap(uint64_t page)
{
    if (is_lowmem(page))
        return (void *)(uint32_t)page;
    unsigned slot = slot_of(page);
    if (slot == slots) {
        slot = free_slot();
        if (slot == slots)
            return 0;
        mapped[slot].page = page;
        set_slot(slot, page | PRESENT);
    }
    mapped[slot].users++;
    return (void *)(WINDOW + (slot << page_shift));
}

void kunmap(const void *address)
{
    const uint32_t slot = ((uint32_t)address - WINDOW) >> page_shift;
    if (slot < slots)
        mapped[slot].users--;
}

int set_entry(uint64_t table, unsigned index, uint64_t descriptor)
{
    uint64_t *entries = kmap(table);
    if (!entries)
        return -1;
    entries[index] = descriptor;
    kunmap(entries);
    return 0;
}
