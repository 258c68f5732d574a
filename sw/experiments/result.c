#include "experiments/experiment.h"
#include "image.h"
#include "lib/string.h"
#include "mm/page.h"
#include "panic.h"

#define NOTE_SIZE 80

extern const struct experiment __start_experiments[], __stop_experiments[];

unsigned results_printed KEPT, results_failed KEPT;

__attribute__((noinline)) const char *run_name(void)
{
    static const char *const names[NR_GRANULES] = {"4k", "16k", "64k"};

    return names[geometry_granule(&kernel_geometry)];
}

/* Six digits after the point at most; those that say nothing are left out. */
static const char *shortest(s64 value_e6)
{
    unsigned decimals = 6;

    while (decimals && value_e6 % 10 == 0) {
        value_e6 /= 10;
        decimals--;
    }
    for (unsigned i = decimals; i < 6; i++)
        value_e6 *= 10;
    return fixed(value_e6, decimals);
}

/* A token holds no blanks. */
static const char *underscored(const char *text)
{
    static char token[NOTE_SIZE];
    u32 i = 0;

    for (; text[i] && i < sizeof token - 1; i++)
        token[i] = text[i] == ' ' ? '_' : text[i];
    token[i] = 0;
    return token;
}

/* What all four forms of a line begin and end with. */
static void line_begin(const char *id, const char *class, s64 value_e6, const char *unit)
{
    results_printed++;
    kprintf("RESULT id=%s run=%s class=%s value=%s unit=%s", id, run_name(), class,
            shortest(value_e6), unit);
}

static void line_end(const char *what)
{
    kprintf(" what=%s\n", underscored(what));
}

static void line_verdict(bool pass)
{
    results_failed += !pass;
    kprintf(" verdict=%s", pass ? "PASS" : "FAIL");
}

void figure(const char *id, const char *what, s64 value_e6, const char *unit)
{
    line_begin(id, "figure", value_e6, unit);
    line_end(what);
}

void modelled(const char *id, const char *what, s64 value_e6, const char *unit, s64 model_e6,
              s64 tolerance_e6)
{
    line_begin(id, "model", value_e6, unit);
    kprintf(" model=%s", shortest(model_e6));
    kprintf(" tolerance=%s", shortest(tolerance_e6));
    line_verdict(value_e6 >= model_e6 - tolerance_e6 && value_e6 <= model_e6 + tolerance_e6);
    line_end(what);
}

void invariant(const char *id, const char *what, u32 count)
{
    line_begin(id, "invariant", (s64)count * E6, "violations");
    line_verdict(count == 0);
    line_end(what);
}

void arithmetic(const char *id, const char *what, s64 value, const char *unit, s64 expected)
{
    line_begin(id, "arithmetic", value * E6, unit);
    kprintf(" expected=%s", shortest(expected * E6));
    line_verdict(value == expected);
    line_end(what);
}

void series(const char *name, s64 x, s64 y_e6)
{
    kprintf("SERIES name=%s run=%s x=%lld y=%s\n", name, run_name(), (long long)x, shortest(y_e6));
}

static void run_one(const struct experiment *e)
{
    kprintf("\n=== %s: %s ===\n", e->name, e->title);
    e->run();
}

bool experiment_exists(const char *name)
{
    bool found = strcmp(name, "all") == 0;

    for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++)
        found |= strcmp(name, e->name) == 0;
    return found;
}

bool run_experiments(const char *name)
{
    bool all = strcmp(name, "all") == 0;

    for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++)
        if (all ? e->in_all : strcmp(name, e->name) == 0)
            run_one(e);
    return experiment_exists(name);
}

void list_experiments(void)
{
    for (const struct experiment *e = __start_experiments; e < __stop_experiments; e++)
        kprintf("  %-9s %s\n", e->name, e->title);
}
