/* Random operations on address spaces and on a file that they map, shared and privately, and a
 * reference of what each page must read: with nothing of how sw/mm and sw/fs do it. It looks at a
 * sample of pages only, in neighbourhoods where tables and halves of memory meet. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "machine/spaces.h"
#include "mm/huge_memory.h"

/* PAGE_SHIFT VA_BITS STEPS SEED ENTRY_BITS, the program's arguments. */
extern struct fuzz_run {
    unsigned page_shift, va_bits, entry_bits;
    u32 steps, seed, step; /* step: the one that runs */
} fuzz_run;
u32 below(u32 n); /* a random number */

/* ---- model.c ---- */
#define PLACES  6u
#define NEAR    24u /* pages of a neighbourhood */
#define SAMPLES (PLACES * NEAR)

#define FILE_PAGES 1024u

/* Three words of a page hold what was written. A first write writes all of them, later ones the
 * first two: the one at the end must outlive copies of the page. Zeros: nothing was written. */
#define WORDS 3u
struct model_page {
    u32 word[WORDS];
};
u32 word_offset(u32 n);

struct model_area {
    vaddr_t start, end;
    u32 flags; /* 0: unused */
    bool of_file;
    u32 pgoff; /* page of the file at `start` */
};

struct model {
    struct mm *mm; /* NULL: not alive */
    struct model_area areas[NR_VMAS];
    struct model_page own[SAMPLES]; /* anonymous, or a private copy of the file's */
};
extern struct model models[LIVE];
extern struct model_page file_page[FILE_PAGES];
extern u32 file_pages; /* its size */

void model_init(void);
vaddr_t sample_va(u32 page); /* address of page 0 .. SAMPLES-1 of the sample */
struct model_area *model_area(struct model *m, vaddr_t va); /* that holds it, or NULL */
u32 model_flags(struct model *m, vaddr_t va);               /* of that area, or 0 */
u32 file_index(const struct model_area *a, vaddr_t va);     /* its page of the file */
struct model_page *model_page(struct model *m, u32 page);   /* what a load finds */
void model_store(struct model *m, u32 page, u32 value);     /* of an area that permits it */
void model_write(struct model_page *page, u32 value);
void model_truncate(u32 pages, bool within); /* `within`: behind the first word of the last page */

/* Like the calls of mm.h where there is memory: 0, or the error that they must return. */
int model_map(struct model *m, struct model_area area);
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
    bool of_file;
    u32 pgoff;
    struct model *child;
};
int run_free(const struct op *o);
int run_touch(const struct op *o);
bool no_memory(int error);            /* it came because an allocation failed */
struct model *some_model(bool alive); /* NULL: there is none */
struct op some_op(void);              /* on one that is alive */

/* ---- judge.c: compares everything with the model, after each step ---- */
void judge(u32 kernel_pages); /* what the test itself holds of the allocator */
void judge_tables(void);      /* the firmware's own audit of all tables; slow */

/* ---- kernel_side.c: what else the kernel does with memory meanwhile ---- */
void kernel_side_step(void);   /* pages of its own behind kmap and kmap_local */
void hoard_step(void);         /* sometimes nearly all memory is gone for a while */
u32 kernel_side_pages(void);   /* that it holds */
void kernel_side_finish(void); /* gives everything back */

#endif
