/* Host tests of the firmware's pure parts. CHECK reports and goes on; finish() is the exit status.
 * Each test file begins with a line "Sources:" naming the firmware files that it links. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "types.h"

extern unsigned checks_done, checks_failed;

void check_failed(const char *file, int line, const char *what);
int finish(void);

#define CHECK(condition)                                  \
    do {                                                  \
        checks_done++;                                    \
        if (!(condition))                                 \
            check_failed(__FILE__, __LINE__, #condition); \
    } while (0)

/* TEST(name) { ... }: all of a file run in their order. A main of its own calls run_tests. */
struct test {
    const char *name;
    void (*run)(void);
};
#define TEST(function)                                                               \
    static void function(void);                                                      \
    static const struct test function##_test                                         \
        __attribute__((section("tests"), used, no_reorder)) = {#function, function}; \
    static void function(void)

void run_tests(void (*before)(void), void (*after)(void)); /* each of them; NULL: nothing */

/* What kprintf wrote since the last call. */
const char *console_text(void);
bool same(const char *text, const char *wanted);

/* Runs `function`, or a statement without local variables, and says whether it ended in a panic;
 * panic_message is its text. */
bool panics(void (*function)(void));
extern char panic_message[256];
#define PANICS(statement) \
    ({                    \
        void run_(void)   \
        {                 \
            statement;    \
        }                 \
        panics(run_);     \
    })

/* Numbers from a seed; the same in every run. */
u32 pseudo_random(void);
void pseudo_random_seed(u32 seed);

/* Prints which test runs when something fails, and what failure_context adds; NULL: nothing. */
void describe_failure(void);
extern void (*failure_context)(void);

#endif
