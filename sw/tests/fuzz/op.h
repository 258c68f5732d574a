/* Operations on address spaces: what they do on both sides, and random arguments for them. */
#ifndef FUZZ_OP_H
#define FUZZ_OP_H

#include "fuzz/model.h"
#include "machine/fuzz_run.h"

/* One operation with its arguments: it can be tried again after it failed. */
struct op {
    const char *name;
    int (*run)(const struct op *);
    struct model *m;
    vaddr_t start, to;
    u32 length, flags, page, value;
    struct model *child;
};

bool no_memory(int error); /* it came because an allocation failed */

/* 0, the error that had to come, or -ENOMEM with nothing changed; op.c. */
int run_map(const struct op *o);
int run_unmap(const struct op *o);
int run_protect(const struct op *o);
int run_move(const struct op *o);
int run_fork(const struct op *o);
int run_free(const struct op *o);
int run_touch(const struct op *o);

/* choose.c */
struct model *some_model(bool alive); /* NULL: there is none */
struct op some_op(void);              /* on one that is alive */

#endif
