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

/* What kprintf wrote since the last call. */
const char *console_text(void);

/* Runs `function` and says whether it ended in a panic; panic_message is its text. */
bool panics(void (*function)(void));
extern char panic_message[256];

/* Numbers from a seed; the same in every run. */
u32 pseudo_random(void);
void pseudo_random_seed(u32 seed);

/* Says what was running when something failed; NULL: nothing more to say. */
extern void (*failure_context)(void);

#endif
