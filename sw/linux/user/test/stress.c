/* Areas that live from round to round, beside a model of what is in them: each round does a few
 * random things with them, checks all that it touches, and now and then runs one of the other
 * tests or lets a child look at everything and spoil its copy. */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#define AREAS 10
#define MOST  24 /* pages of an area */
#define WORDS (PAGE / 4)

/* The model: a word of each page, the others are zero. */
static struct area {
    volatile uint32_t *pages; /* NULL: none */
    uint32_t count;
    int shared, rights;
    uint32_t word[MOST], content[MOST];
} areas[AREAS];

static void create(struct area *a, struct random *r)
{
    a->count = 1 + random_below(r, MOST);
    a->shared = random_below(r, 4) == 0;
    a->rights = PROT_READ | PROT_WRITE;
    a->pages = map_pages(a->count, a->shared);
    for (uint32_t i = 0; i < MOST; i++) {
        a->word[i] = random_below(r, WORDS);
        a->content[i] = 0;
    }
}

static void destroy(struct area *a)
{
    unmap_pages((void *)a->pages, a->count);
    a->pages = NULL;
}

static volatile uint32_t *word_of(struct area *a, uint32_t page)
{
    return a->pages + page * WORDS + a->word[page];
}

/* Reads and perhaps writes one page, and expects a fault where the rights say so. */
static uint32_t touch(struct area *a, uint32_t page, struct random *r)
{
    uint32_t value = 0, written = random_next(r);
    int fault = a->rights & PROT_READ ? 0 : SEGV_ACCERR;

    CHECK(probe_read(word_of(a, page), &value) == fault);
    CHECK(fault || value == a->content[page]);
    if (written & 0x1000) {
        fault = a->rights & PROT_WRITE ? 0 : SEGV_ACCERR;
        CHECK(probe_write(word_of(a, page), written) == fault);
        if (!fault)
            a->content[page] = written;
    }
    return value;
}

static void protect(struct area *a, struct random *r)
{
    static const int rights[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE,
                                 PROT_READ | PROT_WRITE};

    a->rights = rights[random_below(r, 4)];
    CHECK(mprotect((void *)a->pages, a->count * PAGE, a->rights) == 0);
}

/* Shared pages keep the length that they were mapped with. */
static void resize(struct area *a, struct random *r)
{
    uint32_t count = 1 + random_below(r, MOST);
    void *moved;

    if (a->shared)
        return;
    moved = mremap((void *)a->pages, a->count * PAGE, count * PAGE, MREMAP_MAYMOVE);
    CHECK(moved != MAP_FAILED);
    for (uint32_t i = a->count; i < count; i++)
        a->content[i] = 0;
    a->pages = moved;
    a->count = count;
}

/* The kernel may take the content of private pages: they are zero again. */
static void forget(struct area *a)
{
    if (a->shared)
        return;
    CHECK(madvise((void *)a->pages, a->count * PAGE, MADV_DONTNEED) == 0);
    for (uint32_t i = 0; i < a->count; i++)
        a->content[i] = 0;
}

static uint32_t look_at_all(struct random *r)
{
    uint32_t sum = 0;

    for (int i = 0; i < AREAS; i++)
        for (uint32_t page = 0; areas[i].pages && page < areas[i].count; page++)
            if (!areas[i].shared) /* the parent would see what a child writes */
                sum = mix(sum, touch(&areas[i], page, r));
    return sum;
}

static uint32_t child_looks(struct random *r)
{
    struct random own = {random_next(r)};
    int child = fork();

    if (child == 0)
        _exit((int)(look_at_all(&own) & 0xff));
    return wait_for(child);
}

uint32_t test_stress(struct random *r)
{
    static uint32_t (*const others[])(struct random *) = {
        test_mmap,  test_mprotect,   test_mremap, test_cow,  test_shared,
        test_fault, test_misaligned, test_alias,  test_code, test_exec,
    };
    uint32_t sum = 0;

    for (int step = 0; step < 12; step++) {
        struct area *a = &areas[random_below(r, AREAS)];
        uint32_t choice = random_below(r, 16);

        if (!a->pages)
            create(a, r);
        else if (choice == 0)
            destroy(a);
        else if (choice < 3)
            protect(a, r);
        else if (choice < 5)
            resize(a, r);
        else if (choice == 5)
            forget(a);
        if (a->pages)
            for (int i = 0; i < 6; i++)
                sum = mix(sum, touch(a, random_below(r, a->count), r));
    }
    sum = mix(sum, child_looks(r));
    if (random_below(r, 3) == 0)
        sum = mix(sum, others[random_below(r, sizeof(others) / sizeof(others[0]))](r));
    return sum;
}
