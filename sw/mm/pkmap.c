/* The kmap pool. pkmap_count of a slot: 0 free and flushed; 1 unused, but its PTE and TLB entry may
 * still be there; n > 1 has n - 1 users. A slot goes from 1 to 0 only in a sweep that flushes. */
#include "errno.h"
#include "lib/bootargs.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "mm/highmem.h"
#include "panic.h"

#define SLOT_NONE  0xffffu
#define WAIT_LIMIT 1000u /* a waiter that was woken so often in vain waits for nobody */

enum pkmap_flush_policy pkmap_flush_policy = PKMAP_FLUSH_RANGE;
struct pkmap_stats pkmap_stats;
int pkmap_count[PKMAP_MAX];
u32 nr_pkmap = PKMAP_DEFAULT;
u32 kmap_colours = 1;
void (*kmap_wait)(u32 colour);
void (*kmap_wake)(u32 colour);

static u32 cursor[KMAP_COLOUR_MAX];
static u32 waiters[KMAP_COLOUR_MAX];

static u32 page_colour(const struct page *page)
{
    return page_to_pfn(page) & (kmap_colours - 1);
}

static bool valid_size(u32 slots)
{
    return is_pow2(slots) && slots >= PKMAP_MIN && slots <= PKMAP_MAX;
}

/* pkmap=N: slots of the pool. Every colour count divides the least size. */
int setup_pkmap(char *arg)
{
    s32 slots;

    if (parse_decimal(arg, &slots) || !valid_size((u32)slots)) {
        kprintf("pkmap='%s' is no power of two from %u to %u\n", arg ? arg : "", PKMAP_MIN,
                PKMAP_MAX);
        return -EINVAL;
    }
    nr_pkmap = (u32)slots;
    return 0;
}
early_param("pkmap", setup_pkmap);

static void start_over(void)
{
    memset(cursor, 0, sizeof cursor);
    pkmap_stats = (struct pkmap_stats){0};
}

void pkmap_init(void)
{
    page_address_init();
    memset(pkmap_count, 0, sizeof pkmap_count);
    start_over();
}

/* Takes the mapping of an unused slot away. Says whether a TLB may still hold it. */
static bool retire(u32 slot)
{
    pkmap_count[slot] = 0;
    clear_page_address(pkmap_address(slot));
    return pkmap_clear_pte(slot);
}

static void flush_all_zero_pkmaps(void)
{
    bool need_flush = false;

    pkmap_stats.sweeps++;
    for (u32 slot = 0; slot < nr_pkmap; slot++) {
        if (pkmap_count[slot] != 1)
            continue;
        pkmap_stats.swept_slots++;
        if (!retire(slot))
            continue;
        pkmap_stats.cached_slots++;
        if (pkmap_flush_policy == PKMAP_FLUSH_PAGE)
            pkmap_flush_slots(slot, slot + 1);
        else
            need_flush = true;
    }
    if (!need_flush)
        return;
    if (pkmap_flush_policy == PKMAP_FLUSH_ALL)
        pkmap_flush_everything();
    else
        pkmap_flush_slots(0, nr_pkmap);
}

void kmap_flush_unused(void)
{
    flush_all_zero_pkmaps();
}

int pkmap_resize(u32 slots)
{
    if (!valid_size(slots))
        return -EINVAL;
    for (u32 slot = 0; slot < nr_pkmap; slot++)
        if (pkmap_count[slot] > 1)
            return -EBUSY;
    flush_all_zero_pkmaps();
    nr_pkmap = slots;
    start_over();
    return 0;
}

/* Slots of colour c are c, c + C, c + 2C ... The cursor advances before use, so a fresh pool uses
 * slot c itself only after the first wrap. After a sweep each slot is looked at once more. */
static u32 map_new_virtual(struct page *page)
{
    u32 colour = page_colour(page);

    for (u32 left = nr_pkmap; left; left -= kmap_colours) {
        cursor[colour] = (cursor[colour] + kmap_colours) & (nr_pkmap - 1);
        u32 slot = cursor[colour] + colour;

        if (cursor[colour] == 0) {
            flush_all_zero_pkmaps();
            left = nr_pkmap;
        }
        if (pkmap_count[slot])
            continue;
        pkmap_set_pte(slot, page);
        pkmap_count[slot] = 1;
        set_page_address(page, pkmap_address(slot));
        pkmap_stats.maps++;
        return slot;
    }
    return SLOT_NONE;
}

static void *pin(u32 slot)
{
    pkmap_count[slot]++;
    BUG_ON(pkmap_count[slot] < 2);
    return pkmap_address(slot);
}

void *kmap_high_get(struct page *page)
{
    void *address = page_address(page);

    return address ? pin(pkmap_nr(address)) : NULL;
}

void *kmap_try(struct page *page)
{
    if (!page_is_high(page))
        return lowmem_address(page);
    void *address = kmap_high_get(page);

    if (address)
        return address;
    u32 slot = map_new_virtual(page);

    return slot == SLOT_NONE ? NULL : pin(slot);
}

/* One thread of control that waits for itself waits for ever, so without hooks, or when being woken
 * does not help, this is the end. Each turn asks again whether somebody else mapped the page. */
void *kmap(struct page *page)
{
    void *address;

    assert_not_in_trap();
    for (u32 waits = 0; !(address = kmap_try(page)); waits++) {
        u32 colour = page_colour(page);

        if (!kmap_wait || waits == WAIT_LIMIT)
            panic("pkmap exhausted: all %u slots of colour %u are in use", nr_pkmap / kmap_colours,
                  colour);
        pkmap_stats.waits++;
        waiters[colour]++;
        kmap_wait(colour);
        waiters[colour]--;
    }
    return address;
}

void kunmap(struct page *page)
{
    if (!page_is_high(page))
        return;
    void *address = page_address(page);

    BUG_ON(!address);
    u32 slot = pkmap_nr(address);

    pkmap_count[slot]--;
    BUG_ON(pkmap_count[slot] < 1);
    if (pkmap_count[slot] > 1)
        return;
    if (pkmap_flush_policy == PKMAP_FLUSH_EAGER && retire(slot))
        pkmap_flush_slots(slot, slot + 1);
    if (kmap_wake && waiters[page_colour(page)])
        kmap_wake(page_colour(page));
}
