/* Sources: mm/ fs/ tests/machine/ tests/fuzz/
 *
 * Random operations on address spaces and on a file, with allocations that fail, on the host
 * machine; compared with the model after each step. Arguments: log2 of the page size, VA bits,
 * steps, seed, bits of an entry. */
#include "check.h"
#include "fuzz/fuzz.h"
#include "mm/asid.h"
#include "mm/highmem.h"
#include "panic.h"
#include <stdio.h>
#include <stdlib.h>

#define HISTORY 12u

struct fuzz_run fuzz_run;

static u64 tries, out_of_memory, refusals, successes;
static struct op history[HISTORY];

u32 below(u32 n)
{
    return pseudo_random() % n;
}

static void describe(void)
{
    const struct fuzz_run *r = &fuzz_run;

    printf("step %u of seed %u, pages of 2^%u bytes, %u VA bits; again with\n"
           "  build/sw-tests/fuzz_mm %u %u %u %u %u\nlast operations:\n",
           r->step, r->seed, r->page_shift, r->va_bits, r->page_shift, r->va_bits, r->step + 1,
           r->seed, r->entry_bits);
    for (u32 i = HISTORY; i-- > 0;) {
        const struct op *o = &history[(tries - i) % HISTORY];

        if (tries >= i && o->name)
            printf("  %-8s mm %td start 0x%08x length 0x%x to 0x%08x flags %u page 0x%08x%s %u\n",
                   o->name, o->m - models, o->start, o->length, o->to, o->flags, sample_va(o->page),
                   o->of_file ? " of the file," : "", o->pgoff);
    }
    printf("  allocation %u failed: %s\n", alloc_fails_at, alloc_failed ? "yes" : "no");
}

static int try_op(const struct op *o, u32 fails_at)
{
    history[++tries % HISTORY] = *o;
    fail_allocation(fails_at);
    int error = o->run(o);

    alloc_fails_at = 0;
    judge(kernel_side_pages());
    out_of_memory += no_memory(error);
    refusals += error && !no_memory(error);
    successes += !error;
    return error;
}

/* Each allocation fails in turn, until the operation comes through. */
static void fail_each_in_turn(const struct op *o)
{
    u32 fails_at = 1;

    while (no_memory(try_op(o, fails_at)) && fails_at < 64)
        fails_at++;
}

static void run_op(const struct op *o)
{
    switch (below(12)) {
    case 0:
        fail_each_in_turn(o);
        break;
    case 1:
        try_op(o, 1 + below(6));
        break;
    case 2:
        pgtable_ctor_fails = true;
        try_op(o, 0);
        pgtable_ctor_fails = false;
        break;
    default:
        try_op(o, 0);
    }
}

static void one_step(void)
{
    hoard_step();
    if (!some_model(true)) {
        if (fuzz_run.step) { /* each has its turns */
            asid_policy = asid_policy == ASID_REUSE ? ASID_GENERATIONS : ASID_REUSE;
            inode_truncate(file, 0);
            model_truncate(0, false);
            inode_truncate(file, (u64)(file_pages = FILE_PAGES) << PAGE_SHIFT);
            dax_hole_method =
                below(4) ? DAX_HOLE_ZERO_PAGE : DAX_HOLE_PAGECACHE; /* while nothing is mapped */
        }
        models[0] = (struct model){.mm = mm_alloc()};
        if (!models[0].mm)
            return; /* a time of little memory */
    }
    if (below(50) == 0)
        dax_huge = below(4);
    struct op o = some_op();

    if (below(8))
        mm_switch(o.m->mm);
    else if (below(8) == 0)
        mm_switch(NULL);
    if (o.run == run_touch)
        mm_switch(o.m->mm);
    run_op(&o);
    if (below(3) == 0)
        kernel_side_step();
    if (below(64) == 0)
        judge_tables();
}

static vaddr_t random_va(void)
{
    return sample_va(below(SAMPLES));
}

/* A run that met nothing proves nothing. */
static void check_coverage(void)
{
    printf("%u steps, %llu tries: %llu succeeded, %llu were refused, %llu had no memory; "
           "%u zero pages mapped, %u replaced; %u pages new, %u copied, %u taken over; "
           "TLB hits %u, walks %u, from the walk cache %u; large zero page %u times\n",
           fuzz_run.steps, tries, successes, refusals, out_of_memory, fault_stats.zero_maps,
           fault_stats.cow_zero, fault_stats.anon_new, fault_stats.cow_copy, fault_stats.cow_reuse,
           shadow_hits, shadow_walks, shadow_walk_cache_hits, huge_zero_stats.allocations);
    if (fuzz_run.steps < 2000)
        return;
    CHECK(tries >= fuzz_run.steps);
    CHECK(successes && refusals && out_of_memory && shadow_hits && shadow_walks);
    CHECK(fault_stats.zero_maps && fault_stats.cow_zero && fault_stats.anon_new);
    CHECK(fault_stats.cow_copy && fault_stats.cow_reuse);
    CHECK(asid_stats.rollovers);
    CHECK(shadow_walk_cache_hits || user_geometry.start_level == LEAF_LEVEL);
}

static void finish_spaces(void)
{
    for (struct model *m = models; m < models + LIVE; m++)
        if (m->mm)
            run_free(&(struct op){"free", run_free, m, .flags = 0});
    kernel_side_finish();
    judge(0);
    spaces_end();
}

int main(int argc, char **argv)
{
    static struct machine machine; /* it stays in use */
    const struct fuzz_run *r = &fuzz_run;

    if (argc != 6) {
        fprintf(stderr, "usage: fuzz_mm PAGE_SHIFT VA_BITS STEPS SEED ENTRY_BITS\n");
        return 2;
    }
    fuzz_run = (struct fuzz_run){.page_shift = (unsigned)atoi(argv[1]),
                                 .va_bits = (unsigned)atoi(argv[2]),
                                 .steps = (u32)atoi(argv[3]),
                                 .seed = (u32)atoi(argv[4]),
                                 .entry_bits = (unsigned)atoi(argv[5])};
    pseudo_random_seed(r->seed);
    u32 variant = r->seed + r->page_shift / 2 + r->va_bits; /* seed 1 alone meets both of each */
    u32 high_pages = r->page_shift == 12 ? 1536 : 320;      /* with room for a large zero page */

    machine = (struct machine){
        r->page_shift, r->va_bits,          320,
        high_pages,    variant & 1 ? 4 : 1, r->entry_bits == 128 ? ENTRY_128 : ENTRY_64};
    machine_start(&machine);
    failure_context = describe;
    file_start((u64)FILE_PAGES << PAGE_SHIFT);
    CHECK(pkmap_resize(PKMAP_MIN) == 0); /* many sweeps */
    machine_asid_bits = 3;               /* so that a generation ends often */
    model_init();
    speculation_pick = random_va;
    if ((r->seed + r->va_bits) % 4 == 2)
        setup_userpte((char[]){"nohigh"});
    for (; fuzz_run.step < r->steps; fuzz_run.step++) {
        one_step();
        if (r->steps >= 100000 && r->step % (r->steps / 10) == 0)
            fprintf(stderr, "fuzz-mm 2^%u, %u bits: %u of %u steps\n", r->page_shift, r->va_bits,
                    r->step, r->steps);
    }
    finish_spaces();
    check_coverage();
    CHECK(warn_count == 0);
    return finish();
}
