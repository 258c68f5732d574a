/* Random operations on address spaces, and a reference of what each page must read: with nothing of
 * how sw/mm does it. It looks at a sample of pages only, in neighbourhoods where tables and halves
 * of memory meet. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "machine/machine.h"

/* ---- model.c ---- */
#define PLACES 6u
#define NEAR   24u /* pages of a neighbourhood */
#define PAGES  (PLACES * NEAR)

struct model_area {
    vaddr_t start, end;
    u32 flags; /* 0: unused */
};

struct model {
    struct mm *mm; /* NULL: not alive */
    struct model_area areas[NR_VMAS];
    struct model_content {
        u32 first, last; /* what was written; 0: nothing yet */
    } content[PAGES];
};
extern struct model models[LIVE];

void model_init(void);
vaddr_t sample_va(u32 page);                        /* address of page 0 .. PAGES-1 of the sample */
u32 model_flags(const struct model *m, vaddr_t va); /* of the area that holds it, or 0 */

/* Like the calls of mm.h where there is memory: 0, or the error that they must return. */
int model_map(struct model *m, vaddr_t start, u32 length, u32 flags);
int model_unmap(struct model *m, vaddr_t start, u32 length);
int model_protect(struct model *m, vaddr_t start, u32 length, u32 flags);
int model_move(struct model *m, vaddr_t from, u32 length, vaddr_t to);

/* ---- op.c: operations, what they do on both sides, and random arguments for them ---- */
struct op { /* it can be tried again after it failed */
    const char *name;
    int (*run)(const struct op *); /* 0, the error that had to come, or -ENOMEM and no change */
    struct model *m;
    vaddr_t start, to;
    u32 length, flags, page, value;
    struct model *child;
};
int run_free(const struct op *o);
int run_touch(const struct op *o);
bool no_memory(int error);            /* it came because an allocation failed */
struct model *some_model(bool alive); /* NULL: there is none */
struct op some_op(void);              /* on one that is alive */

/* ---- judge.c: compares everything with the model, after each step ---- */
/* Three words of a page hold what was written. A first write writes all of them, later ones the
 * first two: the one at the end must outlive copies of the page. */
#define WORDS 3u
u32 word_of(const struct model_content *content, u32 n);
u32 word_offset(u32 n);

void judge(u32 kernel_pages); /* what the test itself holds of the allocator */
void judge_tables(void);      /* the firmware's own audit of all tables; slow */

/* ---- kernel_side.c: what else the kernel does with memory meanwhile ---- */
void kernel_side_step(void);   /* pages of its own behind kmap and kmap_local */
void hoard_step(void);         /* sometimes nearly all memory is gone for a while */
u32 kernel_side_pages(void);   /* that it holds */
void kernel_side_finish(void); /* gives everything back */

#endif
