/* Sources: mm/pkmap.c mm/page_address.c mm/page_alloc.c mm/page_size.c mm/geometry.c
 * experiments/e001_mix.c tests/pool/pool.c
 *
 * H1.7: pages to flush in a sweep, by workloads that hold slots. */
#include "check.h"
#include "experiments/e001_mix.h"
#include "pool/pool.h"

/* A ring of n pages of highmem. */
static struct page *ring(u32 n)
{
    for (u32 i = 0; i < n; i++)
        high_page(i)->next = (u32)(high_page((i + 1) % n) - mem_map);
    return high_page(0);
}

static void touch_slot(void *address)
{
    touch(address);
}

static u32 swept_by(const struct kmap_mix *mix, u32 slots)
{
    boot_with(slots, 1);
    struct kmap_mix_result r = kmap_mix_run(mix, ring(slots + 1), 10, touch_slot);

    CHECK(r.sweeps == 10 && r.wrong == 0);
    for (u32 slot = 0; slot < slots; slot++)
        CHECK(pkmap_count[slot] <= 1);
    return r.swept;
}

/* What sweeps find hangs on how long maps last, and on the seed: no constant gives it. */
static void workloads_that_hold(void)
{
    struct kmap_mix brief = {.seed = 17, .brief = 3};
    struct kmap_mix build = {.seed = 17, .brief = 3, .share = 64, .lasting = 1536}, other = build;
    struct kmap_mix none = {.seed = 17};

    other.seed = 18;
    u32 b = swept_by(&brief, 1024), m = swept_by(&build, 1024);

    CHECK(m < b && b < 10 * 1024);
    CHECK(swept_by(&build, 1024) == m && swept_by(&other, 1024) != m);
    CHECK(swept_by(&none, 1024) == 10 * 1024);
}

int main(void)
{
    workloads_that_hold();
    return finish();
}
