// Lab 3: the mystery TLB and cache.
#include "lab3.h"

#define MOST_WAYS    16
#define MOST_ENTRIES 64
#define MOST_COLOURS 8

// What a load takes when line and translation are there.
static uint32_t hit(void)
{
    load(0);
    return load(0);
}

// Going round and round `count` places that are `step` apart. How much longer one of the loads of a
// later round takes than a hit.
static uint32_t lost(uint32_t count, uint32_t step)
{
    const uint32_t least = hit();
    uint32_t most = 0;
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t taken = load(i * step);
            if (round && taken > most)
                most = taken;
        }
    return most - least;
}

// The first address of another line: the first load brought its own only.
uint32_t line_bytes(void)
{
    uint32_t at = 4;
    const uint32_t least = hit();
    for (;; at *= 2) {
        forget_lines();
        load(0);
        if (load(at) > least)
            return at;
    }
}

// Places that are so far apart that they share a set, whatever a way is.
uint32_t ways(void)
{
    uint32_t count = 1;
    while (count < MOST_WAYS && !lost(count + 1, memory_bytes() / MOST_WAYS))
        count++;
    return count;
}

// One line more than ways: nearer together they lie in several sets, and nothing is lost.
uint32_t way_bytes(void)
{
    const uint32_t count = ways() + 1;
    uint32_t step = line_bytes();
    while (!lost(count, step))
        step *= 2;
    return step;
}

// Both lines are there, in different sets, and both translations are not.
uint32_t page_bytes(void)
{
    const uint32_t least = hit(), line = line_bytes();
    for (uint32_t at = line;; at *= 2) {
        load(at + line);
        forget_translations();
        load(0);
        if (load(at + line) > least)
            return at;
    }
}

// Each place is in another page, and in another line of it, so that no set has too many.
uint32_t entries(void)
{
    const uint32_t page = page_bytes(), line = line_bytes(), least = hit();
    for (uint32_t count = 2; count < MOST_ENTRIES; count++)
        for (uint32_t round = 0; round < 3; round++)
            for (uint32_t i = 0; i < count; i++)
                if (load(i * page + i * line % page) > least && round)
                    return count - 1;
    return 0;
}

// A line is under one colour at a time: after a load under another one it is not under its own.
uint32_t colours(void)
{
    const uint32_t least = hit();
    for (uint32_t pages = 1; pages < MOST_COLOURS; pages++) {
        load(0);
        load_under(0, pages);
        load_under(0, pages);
        load(0);
        load_under(0, pages);
        if (load(0) == least)
            return pages;
    }
    return 0;
}

// All seats are taken, the first comer is used once more, and a newcomer takes a seat: whose?
enum policy policy(const uint32_t *places, uint32_t count)
{
    const uint32_t least = hit();
    forget_lines();
    forget_translations();
    for (uint32_t i = 0; i < count - 1; i++)
        load(places[i]);
    load(places[0]);
    load(places[count - 1]);
    return load(places[0]) > least ? FIFO : LRU;
}

void explore(void)
{
    show("line", line_bytes());
    show("ways", ways());
    show("way", way_bytes());
    show("page", page_bytes());
    show("entries", entries());
    show("colours", colours());
    show("hit", hit());
}
