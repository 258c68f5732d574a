/* Sources: mm/ fs/ tests/machine/
 *
 * Address spaces of three page sizes on one TLB: what a process reads is what it wrote, whatever
 * ran between; an unmap takes what is its own, and nothing of another; large pages are aligned,
 * zero, and copied once. */
#include "errno.h"
#include "machine/spaces.h"
#include "mm/sized_mm.h"
#include "mm/tlb.h"
#include <string.h>

#define BASE  0x00100000u
#define BYTES 0x00100000u
#define WORDS 64u /* of the model, each at a place of its own */
#define SIZES 3u

static struct sized_mm all[SIZES], other;
static struct sized_mm *running;
static u32 model[SIZES][WORDS];

static vaddr_t place(u32 word)
{
    return BASE + word * (BYTES / WORDS) + (word * 52 & 0xffc);
}

static int fault(vaddr_t va, u32 kind)
{
    return sized_fault(running, va, kind);
}

static u32 access_word(struct sized_mm *s, vaddr_t va, enum access kind, u32 value)
{
    if (s != running)
        sized_switch(s);
    running = s;
    CHECK(cpu_access(va, kind, &value) == 0);
    return value;
}

static u32 get(struct sized_mm *s, vaddr_t va)
{
    return access_word(s, va, LOAD, 0);
}

static void put(struct sized_mm *s, vaddr_t va, u32 value)
{
    access_word(s, va, STORE, value);
}

static struct page *page_at(const struct sized_mm *s, vaddr_t va)
{
    pte_t pte = sized_pte(s, va);

    return pte ? pfn_to_page(pte_pfn(pte)) : NULL;
}

static void nobody_runs(void)
{
    running = NULL;
    sized_switch(NULL);
}

static void setup(void)
{
    shadow_fault = fault;
    for (u32 i = 0; i < SIZES; i++)
        CHECK(sized_init(&all[i], GRANULE_SHIFT(i), BASE, BASE + BYTES) == 0);
    memset(model, 0, sizeof model);
}

static void end(void)
{
    fail_allocation(0);
    nobody_runs();
    for (u32 i = 0; i < SIZES; i++)
        sized_exit(&all[i]);
    shadow_fault = NULL;
    CHECK(nr_pagetable == 0 && machine_pages_in_use() == 0);
}

TEST(a_page_is_one_of_three_and_no_smaller_than_the_kernels)
{
    CHECK(sized_init(&other, 10, BASE, BASE + BYTES) == -EINVAL);
    CHECK(sized_init(&other, 13, BASE, BASE + BYTES) == -EINVAL);
    CHECK(access_word(&all[2], BASE, LOAD, 1) == 0);
    CHECK(sized_fault(&all[2], BASE + BYTES, 0) == -EFAULT);
    CHECK(sized_fault(&all[2], BASE - 1, 0) == -EFAULT);
}

/* A page of every size is aligned to itself, and zero from its first word to its last. */
TEST(aligned_and_zero)
{
    for (u32 i = 0; i < SIZES; i++)
        for (vaddr_t at = BASE; at < BASE + 0x40000; at += sized_page_size(&all[i])) {
            CHECK(get(&all[i], at) == 0);
            CHECK(!(pte_paddr(sized_pte(&all[i], at)) & (sized_page_size(&all[i]) - 1)));
            for (u32 in = 0; in < sized_page_size(&all[i]); in += 1020)
                CHECK(get(&all[i], at + in) == 0);
            put(&all[i], at, ~0u);
            put(&all[i], at + sized_page_size(&all[i]) - 4, ~0u);
        }
}

/* Random stores, loads and unmaps of all, in turn. */
TEST(each_reads_what_it_wrote)
{
    for (u32 step = 0; step < 20000; step++) {
        u32 i = pseudo_random() % SIZES, word = pseudo_random() % WORDS, what = pseudo_random();
        struct sized_mm *s = &all[i];

        if (what % 64 == 0) {
            u32 size = MAX(sized_page_size(s), BYTES / WORDS), per = size / (BYTES / WORDS);
            u32 first = word / per * per, count = MIN(WORDS - first, per * (1 + what / 64 % 5));

            sized_zap(s, BASE + first * (BYTES / WORDS), BASE + (first + count) * (BYTES / WORDS));
            memset(&model[i][first], 0, count * sizeof(u32));
        } else if (what % 2) {
            model[i][word] = what;
            put(s, place(word), what);
        }
        CHECK(get(s, place(word)) == model[i][word]);
    }
}

/* Words of a process that the TLB can translate. */
static u32 held(const struct sized_mm *s)
{
    u32 count = 0;

    for (u32 word = 0; word < WORDS; word++)
        count += shadow_holds(s->mm->asid, place(word));
    return count;
}

/* An unmap takes the entries of its process and no others, of one with the same page size neither.
 */
TEST(an_unmap_leaves_the_others)
{
    struct sized_mm *each[] = {&all[0], &all[1], &all[2], &other};
    u32 before[ARRAY_SIZE(each)];

    for (u32 i = 0; i < SIZES; i++) {
        CHECK(sized_init(&other, GRANULE_SHIFT(i), BASE, BASE + BYTES) == 0);
        for (u32 j = 0; j < ARRAY_SIZE(each); j++)
            for (u32 word = 0; word < 8; word++)
                put(each[j], place(word), j + 1);
        for (u32 j = 0; j < ARRAY_SIZE(each); j++)
            CHECK((before[j] = held(each[j])) > 0);
        sized_zap(&all[i], BASE, BASE + BYTES);
        for (u32 j = 0; j < ARRAY_SIZE(each); j++)
            CHECK(held(each[j]) == (j == i ? 0 : before[j]));
        CHECK(get(&all[i], place(0)) == 0 && get(&other, place(0)) == SIZES + 1);
        nobody_runs();
        sized_exit(&other);
    }
}

/* The first to write copies the page whole, and once; the last has it to itself. */
TEST(copied_once)
{
    for (u32 i = 0; i < SIZES; i++) {
        struct sized_mm *s = &all[i];
        u32 size = sized_page_size(s);

        for (u32 at = 0; at < size; at += 256)
            put(s, BASE + at, BASE + at);
        CHECK(sized_init(&other, GRANULE_SHIFT(i), BASE, BASE + BYTES) == 0);
        CHECK(sized_fork(&other, s) == 0 && page_at(&other, BASE) == page_at(s, BASE));
        put(s, BASE, 1);
        put(s, BASE + size - 4, 2);
        put(&other, BASE, 3);
        CHECK(s->stats.copied == size && other.stats.copied == 0);
        CHECK(page_at(&other, BASE) != page_at(s, BASE));
        for (u32 at = 256; at < size; at += 256)
            CHECK(get(&other, BASE + at) == BASE + at && get(s, BASE + at) == BASE + at);
        CHECK(get(s, BASE) == 1 && get(&other, BASE) == 3 && get(&other, BASE + size - 4) == 0);
        nobody_runs();
        sized_exit(&other);
    }
}

/* Of whatever allocation fails, what is left is freed. */
TEST(no_memory)
{
    for (u32 i = 0; i < SIZES; i++) {
        int error = -ENOMEM;

        put(&all[i], BASE, 7);
        for (u32 call = 1; error; call++) {
            fail_allocation(call);
            error = sized_init(&other, GRANULE_SHIFT(i), BASE, BASE + BYTES);
            if (error)
                continue;
            error = sized_fork(&other, &all[i]);
            if (!error)
                error = sized_fault(&other, BASE, FAULT_WRITE);
            CHECK(!error || (error == -ENOMEM && alloc_failed));
            CHECK(get(&all[i], BASE) == 7);
            nobody_runs();
            sized_exit(&other);
        }
        fail_allocation(0);
    }
}

/* A program is read-only, executable, and ends where it ends. */
TEST(a_program)
{
    static const u32 words[1500] = {1, 2, 3};

    for (u32 i = 0; i < SIZES; i++) {
        CHECK(sized_load(&all[i], BASE, words, sizeof words) == 0);
        CHECK(access_word(&all[i], BASE + 4, FETCH, 0) == 2);
        CHECK(sized_fault(&all[i], BASE, FAULT_WRITE) == -EFAULT);
        CHECK(get(&all[i], BASE + 6000) == 0);
    }
}

int main(void)
{
    static const struct machine one = {12, 31, 1024, 3072, 4, ENTRY_64};

    machine_start(&one);
    run_tests(setup, end);
    return finish();
}
