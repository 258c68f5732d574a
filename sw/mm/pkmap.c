/* The kmap pool. pkmap_count of a slot: 0 free and flushed; 1 unused, but its PTE and TLB entry may
 * still be there; n > 1 has n - 1 users. A slot goes from 1 to 0 only in a sweep that flushes. */
#include "mm/highmem.h"
#include "panic.h"

#define BUCKETS   128u
#define SLOT_NONE 0xffffu

enum pkmap_flush_policy pkmap_flush_policy = PKMAP_FLUSH_RANGE;
struct pkmap_stats pkmap_stats;
int pkmap_count[LAST_PKMAP];
u32 kmap_colours = 1;

/* Page -> slot. Descriptor n belongs to slot n, so no allocation can fail. */
static struct page *slot_page[LAST_PKMAP];
static u16 slot_next[LAST_PKMAP];
static u16 bucket[BUCKETS];
static u32 cursor[KMAP_COLOUR_MAX];

void pkmap_init(void)
{
    for (u32 i = 0; i < BUCKETS; i++)
        bucket[i] = SLOT_NONE;
    for (u32 i = 0; i < LAST_PKMAP; i++) {
        slot_page[i] = NULL;
        pkmap_count[i] = 0;
    }
    for (u32 i = 0; i < KMAP_COLOUR_MAX; i++)
        cursor[i] = 0;
    pkmap_stats = (struct pkmap_stats){0};
}

static u16 *bucket_of(const struct page *page)
{
    return &bucket[page_to_pfn(page) % BUCKETS];
}

static u32 find_slot(const struct page *page)
{
    u32 slot = *bucket_of(page);

    while (slot != SLOT_NONE && slot_page[slot] != page)
        slot = slot_next[slot];
    return slot;
}

static void hash_add(struct page *page, u32 slot)
{
    u16 *head = bucket_of(page);

    slot_page[slot] = page;
    slot_next[slot] = *head;
    *head = (u16)slot;
}

static void hash_remove(u32 slot)
{
    u16 *link = bucket_of(slot_page[slot]);

    while (*link != slot)
        link = &slot_next[*link];
    *link = slot_next[slot];
    slot_page[slot] = NULL;
}

static void *slot_address(u32 slot)
{
    return kernel_pointer(PKMAP_BASE + (slot << PAGE_SHIFT));
}

static void flush_all_zero_pkmaps(void)
{
    bool need_flush = false;

    pkmap_stats.sweeps++;
    for (u32 slot = 0; slot < LAST_PKMAP; slot++) {
        if (pkmap_count[slot] != 1)
            continue;
        pkmap_count[slot] = 0;
        BUG_ON(!slot_page[slot]);
        pkmap_clear_pte(slot);
        hash_remove(slot);
        pkmap_stats.swept_slots++;
        need_flush = true;
        if (pkmap_flush_policy == PKMAP_FLUSH_PAGE)
            pkmap_flush_slots(slot, slot + 1);
    }
    if (!need_flush || pkmap_flush_policy == PKMAP_FLUSH_PAGE)
        return;
    if (pkmap_flush_policy == PKMAP_FLUSH_ALL)
        pkmap_flush_everything();
    else
        pkmap_flush_slots(0, LAST_PKMAP);
}

void kmap_flush_unused(void)
{
    flush_all_zero_pkmaps();
}

/* Slots of colour c are c, c + C, c + 2C ... The cursor advances before use, so a fresh pool uses
 * slot c itself only after the first wrap. */
static u32 map_new_virtual(struct page *page)
{
    u32 colour = page_to_pfn(page) & (kmap_colours - 1);
    u32 budget = LAST_PKMAP / kmap_colours;

    while (budget--) {
        cursor[colour] = (cursor[colour] + kmap_colours) & (LAST_PKMAP - 1);
        u32 slot = cursor[colour] + colour;

        if (cursor[colour] == 0) {
            flush_all_zero_pkmaps();
            budget = LAST_PKMAP / kmap_colours - 1;
        }
        if (pkmap_count[slot])
            continue;
        pkmap_set_pte(slot, page);
        pkmap_count[slot] = 1;
        hash_add(page, slot);
        pkmap_stats.maps++;
        return slot;
    }
    return SLOT_NONE;
}

void *kmap_try(struct page *page)
{
    if (!page_is_high(page))
        return lowmem_address(page);
    u32 slot = find_slot(page);

    if (slot == SLOT_NONE)
        slot = map_new_virtual(page);
    if (slot == SLOT_NONE)
        return NULL;
    pkmap_count[slot]++;
    BUG_ON(pkmap_count[slot] < 2);
    return slot_address(slot);
}

/* There is one thread of control, so waiting for a slot would be waiting for ever. */
void *kmap(struct page *page)
{
    void *address = kmap_try(page);

    if (!address)
        panic("pkmap exhausted: all %u slots of colour %u are in use", LAST_PKMAP / kmap_colours,
              page_to_pfn(page) & (kmap_colours - 1));
    return address;
}

void *kmap_high_get(struct page *page)
{
    u32 slot = find_slot(page);

    if (slot == SLOT_NONE)
        return NULL;
    pkmap_count[slot]++;
    return slot_address(slot);
}

void kunmap(struct page *page)
{
    if (!page_is_high(page))
        return;
    u32 slot = find_slot(page);

    BUG_ON(slot == SLOT_NONE);
    pkmap_count[slot]--;
    BUG_ON(pkmap_count[slot] < 1);
    if (pkmap_flush_policy == PKMAP_FLUSH_EAGER && pkmap_count[slot] == 1) {
        pkmap_count[slot] = 0;
        pkmap_clear_pte(slot);
        hash_remove(slot);
        pkmap_flush_slots(slot, slot + 1);
    }
}

void *page_address(struct page *page)
{
    if (!page_is_high(page))
        return lowmem_address(page);
    u32 slot = find_slot(page);

    return slot == SLOT_NONE ? NULL : slot_address(slot);
}

struct page *kmap_to_page(void *address)
{
    vaddr_t va = kernel_va(address);

    if (va - PKMAP_BASE < LAST_PKMAP << PAGE_SHIFT)
        return slot_page[(va - PKMAP_BASE) >> PAGE_SHIFT];
    return pfn_to_page(va >> PAGE_SHIFT);
}
