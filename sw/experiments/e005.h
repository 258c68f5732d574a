/* Processes with page sizes of their own, and the program that they run (user/touch.c). */
#ifndef EXPERIMENTS_E005_H
#define EXPERIMENTS_E005_H

#include "kernel/trap.h"
#include "mm/sized_mm.h"

#define E005_BASE   0x00100000u
#define E005_BYTES  0x00080000u /* eight times what 16 entries reach at 4K */
#define E005_STRIDE 0x00010000u /* of words far apart: a page of the largest size each */
#define E005_WORDS  (E005_BYTES / E005_STRIDE)

struct process {
    struct sized_mm space;
    struct user_context context;
};

enum pattern { IN_ORDER, AT_RANDOM, FAR_APART };

void sized_process_begin(struct process *p, unsigned page_shift);
void sized_process_fork(struct process *child, struct process *parent);
void sized_process_end(struct process *p);

/* Runs the program to its end: how many words were wrong. */
u32 sized_process_write(struct process *p, enum pattern pattern, u32 key);
u32 sized_process_read(struct process *p, enum pattern pattern, u32 key);
/* The first words of so many pages of 64 KiB; with three processes the TLB holds them all. */
u32 sized_process_few(struct process *p, u32 words, u32 key, bool write);

/* One TLB for all three: switches, and invalidations of one while others have entries. */
void e005_together(struct process *processes);

#endif
