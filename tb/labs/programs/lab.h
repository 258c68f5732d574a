// What the labs' programs on the RTL share: accesses from S-mode, what is said of them, and what
// the boot arguments ask for.
#pragma once
#include "tables.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

int failures;
// Students' functions run on it: they may want more than the stack of machine.h.
static uint8_t stack[8192] __attribute__((aligned(16)));

// A line: `what`, and numbers.
#define SAY(what, ...) \
    say(what, (const uint32_t[]){__VA_ARGS__}, LENGTH(((uint32_t[]){__VA_ARGS__})))
static inline void say(const char *what, const uint32_t *numbers, unsigned count)
{
    puts_(what);
    for (unsigned i = 0; i < count; i++) {
        put(' ');
        put_hex(numbers[i]);
    }
    put('\n');
}

// Something is wrong: what, its address or how often it was tried, what was expected, and got.
static inline void bad(const char *what, uint32_t where, uint32_t expected, uint32_t got)
{
    puts_("BAD ");
    SAY(what, where, expected, got);
    failures++;
}

// The same, if it came otherwise.
static inline void check(const char *what, uint32_t where, uint32_t expected, uint32_t got)
{
    if (got != expected)
        bad(what, where, expected, got);
}

static inline uint32_t in_s(uint32_t (*function)(uint32_t), uint32_t argument)
{
    return run_in(SUPERVISOR, function, argument, stack + sizeof stack);
}

static inline uint32_t load(uint32_t va)
{
    uint32_t value = 0;
    __asm__ volatile("lw %0, 0(%1)" : "+r"(value) : "r"(va) : "memory");
    return value;
}

static inline uint32_t store(uint32_t va)
{
    __asm__ volatile("sw %0, 0(%0)" ::"r"(va) : "memory");
    return 0;
}

// What an access from S-mode comes to: 0, or the status code of its fault. `value`: where what was
// read goes; 0: nowhere.
static inline uint32_t status(uint32_t (*access)(uint32_t), uint32_t va, uint32_t *value)
{
    const uint32_t before = trap.count;
    const uint32_t got = in_s(access, va);
    if (value)
        *value = got;
    return trap.count == before ? 0 : MMU(ESR_LO) & 0x3f;
}

// A CSR has a literal as its name; this one counts walks.
_Static_assert(GRANULE_EVENT_MCOUNTER(GRANULE_EVENT_WALKS) == 0xb10, "the event has moved");
static inline uint32_t count_walks(void)
{
    return CSR_READ(0xb10);
}

static inline void let_all_count(void)
{
    CSR_WRITE(mcounteren, 0xffffffff);
    CSR_WRITE(scounteren, 0xffffffff);
}

// The boot arguments are a granule and then perhaps a word, as in "16k remap".
static inline const char *second_word(void)
{
    const char *word = boot_command_line;
    while (*word && *word++ != ' ')
        ;
    return word;
}

static inline int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

struct trial {
    const char *name;
    void (*run)(void);
};

// The number of the one that the second word names, or `count`.
static inline unsigned chosen(const struct trial *trials, unsigned count)
{
    unsigned i = 0;
    while (i < count && !same(second_word(), trials[i].name))
        i++;
    return i;
}
