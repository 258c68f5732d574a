/* What the parts of experiment e002 share: one measured loop, and what it cost. */
#ifndef EXPERIMENTS_E002_H
#define EXPERIMENTS_E002_H

#include "drivers/cache.h"
#include "experiments/cache_model.h"
#include "kernel/task.h"
#include "lib/printf.h"
#include "mm/zero_page.h"
#include "user/probe.h"
#include "user/user.h"

#define PASSES     1000u
#define FEW_PASSES 64u /* enough for a rate that the policy repeats every few passes */

extern struct cache_geometry e002_cache;
extern enum l1d_alias_mode e002_mode;
extern u32 e002_dtlb_misses; /* of all loops whose places the TLB holds; must stay 0 */
extern u32 e002_violations;  /* found in the tables of the tasks */

/* A loop over `n` places, `stride` apart from `base`. `own_pages` pages from number `own` have
 * frames of their own, which are `frame_step` frames apart and begin at `frame_colour` of an
 * aligned block; all others are untouched memory, so zero pages. */
struct loop {
    const char *run, *what; /* its row in the table; no row without `run` */
    u32 base, stride, n, passes;
    u32 own, own_pages, frame_step, frame_colour;
    u32 flags, work;
};

struct outcome {
    u32 n, reads; /* reads of the steady passes */
    struct probe_report r;
    struct model_misses model; /* all 0 for a loop that is too long for the model */
};

void e002_table_head(void);
struct outcome probe(const struct loop *loop);
/* `n` lines of one set. */
struct outcome probe_lines(const char *run, const char *what, u32 n, u32 passes);

/* First pass over cold lines and steady passes together, measured and by the model. */
u32 all_misses(const struct outcome *o);
u32 all_moves(const struct outcome *o);
u32 all_cycles(const struct outcome *o);
s64 miss_rate(const struct outcome *o);   /* misses a read, steady, in millionths */
s64 read_cycles(const struct outcome *o); /* cycles a read, steady, in millionths */

/* all_misses beside the model; what random replacement does is known on average only. */
void misses_modelled(const char *id, const char *what, const struct outcome *o);
void rate_modelled(const char *id, const char *what, const struct outcome *o);

/* ---- the parts, in the order in which they run ---- */
void e002_conflict(void);    /* H2.1 to H2.8 */
void e002_zero(void);        /* */
void e002_crowded(void);     /* */
u32 e002_knee(void);         /* lines of one set at which misses begin */
void e002_sources(u32 knee); /* H2.11 */
void e002_work(void);        /* */
void e002_stream(void);      /* H2.9 */

#endif
