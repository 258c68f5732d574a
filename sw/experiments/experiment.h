/* Experiments register themselves; each prints a table for people and RESULT lines for tools. */
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "lib/printf.h"
#include "types.h"

struct experiment {
    const char *name, *title;
    void (*run)(void);
    u32 in_all; /* part of `run=all` */
};

/* `order` sorts the list: 0..8 are part of `all`, NOT_IN_ALL is not. */
#define NOT_IN_ALL 9
#define EXPERIMENT(id, exp_name, exp_title, function, order)                              \
    static const struct experiment experiment_##id                                        \
        __attribute__((used, aligned(4),                                                  \
                       section("experiments." #order))) = {exp_name, exp_title, function, \
                                                           (order) != NOT_IN_ALL}

/* Runs the one with that name, or those of `all`. False: there is none. */
bool run_experiments(const char *name);
bool experiment_exists(const char *name);
void list_experiments(void);

extern unsigned results_printed, results_failed;

/* The lines that tools read. Values are in millionths of their unit.
 *
 * figure: a measured value. The firmware does not judge it: what was published and the verdict come
 * from one catalogue and one rule on the host, by the id.
 * modelled: a measured value beside what a model of ours predicts; fails beyond the tolerance.
 * invariant: a count of what must not happen; fails unless it is 0.
 * arithmetic: a number that follows from others; fails unless it is exactly the expected one.
 * The last three fail the whole run when they fail. */
void figure(const char *id, const char *what, s64 value_e6, const char *unit);
void modelled(const char *id, const char *what, s64 value_e6, const char *unit, s64 model_e6,
              s64 tolerance_e6);
void invariant(const char *id, const char *what, u32 count);
void arithmetic(const char *id, const char *what, s64 value, const char *unit, s64 expected);

/* One point of a curve, for plots: `SERIES name=e001.cost.range run=4k x=64 y=19.25`. The name
 * begins with the experiment and has no blanks; a curve is all points of one name in one boot, in
 * the order in which they were printed, and a name ends in a parameter where there are several
 * curves of a kind. Nothing is judged, and nothing but a curve belongs here. */
void series(const char *name, s64 x, s64 y_e6);

/* "4k", "16k", "64k": the run= token of a RESULT line. */
const char *run_name(void);

#endif
