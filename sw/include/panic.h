/* Ways to stop or to complain. Every one names its file and line.
 *
 * panic(fmt, ...)    print the message, the place, the CPU's and the MMU's fault state; end the run
 * BUG_ON(condition)  panic when a condition that must never hold does
 * WARN_ON(condition) print once per call and go on; counted, the final verdict fails on warnings
 */
#ifndef PANIC_H
#define PANIC_H

#include "types.h"

void panic_at(const char *file, int line, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
void warn_at(const char *file, int line, const char *what);

extern unsigned warn_count;

#define panic(...) panic_at(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(condition)                       \
    do {                                        \
        if (__builtin_expect(!!(condition), 0)) \
            panic("BUG: %s", #condition);       \
    } while (0)
/* Traps of the kernel that are being handled. There, nothing may wait, and so not kmap. */
extern u32 trap_depth;
#define assert_not_in_trap() BUG_ON(trap_depth)

#define WARN_ON(condition)                           \
    do {                                             \
        if (__builtin_expect(!!(condition), 0))      \
            warn_at(__FILE__, __LINE__, #condition); \
    } while (0)

#endif
