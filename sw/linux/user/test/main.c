/* granule-test: self-tests of memory management, from a program's side. Each is a function that
 * makes one random round and returns a checksum; the same seed gives the same checksums on every
 * machine. Exit status: 0, 1 after a failure, 2 after wrong arguments.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

static const struct test {
    const char *name;
    uint32_t (*round)(struct random *r);
    unsigned quick, rounds; /* of `quick`, and when nobody asks for another number */
    const char *what;
} tests[] = {
    {"mmap", test_mmap, 1, 4, "pages come as zeros and go with munmap"},
    {"mprotect", test_mprotect, 1, 2, "rights that come and go"},
    {"mremap", test_mremap, 1, 4, "mappings that move, grow and shrink"},
    {"cow", test_cow, 1, 3, "copy on write between three processes"},
    {"shared", test_shared, 1, 2, "two processes write shared pages in turns"},
    {"fault", test_fault, 1, 2, "signals on faults, and handlers that mend the page"},
    {"misaligned", test_misaligned, 1, 4, "misaligned accesses within and across pages"},
    {"alias", test_alias, 1, 4, "one page at five addresses of different colours"},
    {"code", test_code, 1, 4, "instructions that were just written"},
    {"atomic", test_atomic, 1, 2, "lr/sc and amo between processes"},
    {"exec", test_exec, 1, 4, "arguments, environment and files of a new program"},
    {"fork", test_fork, 60, 600, "more processes than there are address space numbers"},
    {"stress", test_stress, 6, 40, "a mix of all that, in areas that live on"},
};
#define TESTS (sizeof(tests) / sizeof(tests[0]))

static int usage(void)
{
    fprintf(stderr, "usage: granule-test quick|all|NAME [SEED [ROUNDS]]\n");
    for (size_t i = 0; i < TESTS; i++)
        fprintf(stderr, "  %-11s %s (%u rounds)\n", tests[i].name, tests[i].what, tests[i].rounds);
    return 2;
}

static int number(const char *what, const char *text, uint32_t *value)
{
    char *end;
    unsigned long n;

    errno = 0;
    n = strtoul(text, &end, 0);
    if (text[0] == '\0' || text[0] == '-' || *end || errno || n > UINT32_MAX) {
        fprintf(stderr, "granule-test: %s '%s' is no number from 0 to %u\n", what, text,
                UINT32_MAX);
        return -1;
    }
    *value = (uint32_t)n;
    return 0;
}

/* In a process of its own, so that a failure ends no other test. */
static int run(const struct test *t, uint32_t seed, uint32_t rounds)
{
    int status;
    int child;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        struct random r = {seed};
        uint32_t sum = 0;

        for (uint32_t i = 0; i < rounds; i++)
            sum = mix(sum, t->round(&r));
        printf("test %-11s seed %u rounds %u checksum 0x%08x\n", t->name, seed, rounds, sum);
        fflush(stdout);
        _exit(0);
    }
    status = (int)wait_for(child);
    if (status)
        printf("test %-11s seed %u rounds %u FAILED\n", t->name, seed, rounds);
    return status ? 1 : 0;
}

/* The other side of test_exec. */
static int echo_status(const char *text)
{
    const char *variable = getenv("NUMBER");
    uint32_t status, told;

    if (!variable || number("status", text, &status) || number("NUMBER", variable, &told))
        return 255;
    return write(3, &told, 4) == 4 ? (int)(status & 0x7f) : 254;
}

int main(int argc, char **argv)
{
    uint32_t seed = 1, rounds = 0;
    unsigned failed = 0, passed = 0;

    if (argc == 3 && !strcmp(argv[1], "echo-status"))
        return echo_status(argv[2]);
    if (argc < 2 || argc > 4 || (argc > 2 && number("SEED", argv[2], &seed)) ||
        (argc > 3 && number("ROUNDS", argv[3], &rounds)))
        return usage();
    for (size_t i = 0; i < TESTS; i++) {
        const struct test *t = &tests[i];

        const int quick = !strcmp(argv[1], "quick");

        if (quick || !strcmp(argv[1], t->name) || !strcmp(argv[1], "all")) {
            if (run(t, seed, rounds ? rounds : quick ? t->quick : t->rounds))
                failed++;
            else
                passed++;
        }
    }
    if (passed + failed == 0) {
        fprintf(stderr, "granule-test: there is no test '%s'\n", argv[1]);
        return usage();
    }
    printf("granule-test: %u passed, %u failed\n", passed, failed);
    return failed ? 1 : 0;
}
