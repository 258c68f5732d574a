/* The firmware's surroundings, for tests on the host. */
#include "check.h"
#include "lib/printf.h"
#include "panic.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned checks_done, checks_failed, warn_count;
u32 trap_depth;
char panic_message[256];
void (*failure_context)(void);

extern const struct test __start_tests[], __stop_tests[]; /* the linker's, of section `tests` */
#pragma weak __start_tests
#pragma weak __stop_tests
static const struct test *running;

static char console[1 << 16];
static size_t console_length;
static jmp_buf panic_exit;
static bool panic_expected;

void check_failed(const char *file, int line, const char *what)
{
    checks_failed++;
    printf("%s:%d: %s\n", file, line, what);
}

void describe_failure(void)
{
    if (running)
        printf("in %s\n", running->name);
    if (failure_context)
        failure_context();
}

void run_tests(void (*before)(void), void (*after)(void))
{
    for (running = __start_tests; running < __stop_tests; running++) {
        unsigned failed = checks_failed;

        if (before)
            before();
        running->run();
        if (after)
            after();
        if (checks_failed != failed)
            describe_failure();
    }
    running = NULL;
}

int finish(void)
{
    printf("%u checks, %u failed\n", checks_done, checks_failed);
    return checks_failed || !checks_done;
}

int kprintf(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    int n = kvsnprintf(console + console_length, sizeof console - console_length, fmt, args);
    va_end(args);
    console_length = strlen(console);
    return n;
}

/* Of the tests whose page frames have no memory. */
struct page;
__attribute__((weak)) void clear_highpage(struct page *page)
{
    (void)page;
}

const char *console_text(void)
{
    static char text[sizeof console];

    memcpy(text, console, console_length + 1);
    console_length = 0;
    console[0] = 0;
    return text;
}

bool same(const char *text, const char *wanted)
{
    return strcmp(text, wanted) == 0;
}

void panic_at(const char *file, int line, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    kvsnprintf(panic_message, sizeof panic_message, fmt, args);
    va_end(args);
    if (panic_expected)
        longjmp(panic_exit, 1);
    printf("%s:%d: unexpected panic: %s\n", file, line, panic_message);
    describe_failure();
    exit(1);
}

void warn_at(const char *file, int line, const char *what)
{
    (void)file, (void)line, (void)what;
    warn_count++;
}

bool panics(void (*function)(void))
{
    bool happened = true;

    panic_expected = true;
    if (!setjmp(panic_exit)) {
        function();
        happened = false;
    }
    panic_expected = false;
    return happened;
}

static u64 state = 0x9e3779b97f4a7c15ull;

void pseudo_random_seed(u32 seed)
{
    state = 0x9e3779b97f4a7c15ull ^ (u64)seed << 20;
}

u32 pseudo_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (u32)(state >> 16);
}

int __attribute__((weak)) main(void)
{
    run_tests(NULL, NULL);
    return finish();
}
