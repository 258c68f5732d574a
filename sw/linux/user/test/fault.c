/* What the kernel makes of a fault: the signal, its code and address; and that a handler which
 * mends the page brings the access to its end, once a page. */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch.h"

#define PAGES 8
#define WORDS (PAGE / 4)

static char *mended_from;
static volatile uint32_t mended;

static void mend(int number, siginfo_t *info, void *context)
{
    char *page = (char *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1));

    (void)number, (void)context;
    CHECK(page >= mended_from && page < mended_from + PAGES * PAGE);
    CHECK(mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
    mended++;
}

static uint32_t mending(struct random *r)
{
    volatile uint32_t *pages = map_pages(PAGES, 0);
    struct sigaction action = {.sa_sigaction = mend, .sa_flags = SA_SIGINFO}, old;
    uint32_t sum = 0, seen = 0;

    mended_from = (char *)pages;
    mended = 0;
    CHECK(mprotect((void *)pages, PAGES * PAGE, PROT_NONE) == 0);
    CHECK(sigaction(SIGSEGV, &action, &old) == 0);
    for (int i = 0; i < 3 * PAGES; i++) {
        uint32_t at = random_below(r, PAGES * WORDS);

        pages[at] += random_next(r);
        seen |= 1u << (at / WORDS);
        sum = mix(sum, pages[at]);
    }
    CHECK(sigaction(SIGSEGV, &old, NULL) == 0);
    CHECK((uint32_t)__builtin_popcount(seen) == mended);
    unmap_pages((void *)pages, PAGES);
    return mix(sum, mended);
}

static uint32_t codes(void)
{
    volatile uint32_t *pages = map_pages(3, 0), *file;
    uint32_t value, sum = 0;
    int fd = scratch_file(1);

    pages[0] = 1;
    CHECK(mprotect((void *)pages, PAGE, PROT_READ) == 0);
    CHECK(mprotect((void *)(pages + WORDS), PAGE, PROT_NONE) == 0);
    CHECK(munmap((void *)(pages + 2 * WORDS), PAGE) == 0);
    sum = mix(sum, (uint32_t)probe_write(pages, 2));
    sum = mix(sum, (uint32_t)probe_read(pages + WORDS, &value));
    sum = mix(sum, (uint32_t)probe_read(pages + 2 * WORDS, &value));
    sum = mix(sum, (uint32_t)probe_read(NULL, &value));
    sum = mix(sum, (uint32_t)probe_write((uint32_t *)-(intptr_t)PAGE, 1)); /* the kernel's */
    sum = mix(sum, (uint32_t)probe_call((void *)pages)); /* readable, not executable */
    sum = mix(sum, (uint32_t)probe_call((void *)(pages + 2 * WORDS)));
    sum = mix(sum, pages[0]);

    /* A page behind the end of its file. */
    file = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(file != MAP_FAILED);
    sum = mix(sum, (uint32_t)probe_write(file, 3));
    sum = mix(sum, (uint32_t)probe_read(file + WORDS, &value));
    close(fd);
    unmap_pages((void *)file, 2);
    unmap_pages((void *)pages, 2);
    return sum;
}

static uint32_t dive(uint32_t depth)
{
    volatile uint32_t frame[WORDS];

    frame[depth % WORDS] = depth;
    if (depth == UINT32_MAX)
        return 0;
    return dive(depth + 1) + frame[depth % WORDS];
}

/* A stack without end and an instruction that is none end the process by a signal. */
static uint32_t deaths(void)
{
    uint32_t sum = 0;

    for (int kind = 0; kind < 2; kind++) {
        int status, child = fork();

        if (child == 0) {
            struct rlimit small = {64 * 1024, 64 * 1024};

            CHECK(setrlimit(RLIMIT_STACK, &small) == 0);
            if (kind == 0)
                exit((int)dive(0));
            ILLEGAL_INSTRUCTION();
            exit(0);
        }
        CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == (kind ? SIGILL : SIGSEGV));
        sum = mix(sum, (uint32_t)WTERMSIG(status));
    }
    return sum;
}

uint32_t test_fault(struct random *r)
{
    uint32_t sum = mending(r);

    return mix(mix(sum, codes()), deaths());
}
