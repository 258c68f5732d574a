/* A reference of address spaces: what each page must read, with nothing of how sw/mm does it. It
 * looks at a sample of pages only, in neighbourhoods where tables and halves of memory meet. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include "mm/mm.h"

#define PLACES 6u
#define NEAR   24u /* pages of a neighbourhood */
#define PAGES  (PLACES * NEAR)
#define LIVE   4u /* address spaces at a time */

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
vaddr_t sample_va(u32 page); /* address of page 0 .. PAGES-1 of the sample */

u32 model_flags(const struct model *m, vaddr_t va); /* of the area that holds it, or 0 */
struct model_area *model_area(struct model *m, vaddr_t va);

/* Like the calls of mm.h, but with certain success unless they return the error that they must
 * return. `commit` false: only say what must come. */
int model_map(struct model *m, vaddr_t start, u32 length, u32 flags, bool commit);
int model_unmap(struct model *m, vaddr_t start, u32 length, bool commit);
int model_protect(struct model *m, vaddr_t start, u32 length, u32 flags, bool commit);
int model_move(struct model *m, vaddr_t from, u32 length, vaddr_t to, bool commit);
void model_fork(struct model *child, const struct model *parent);

#endif
