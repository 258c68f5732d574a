/* The fault record in words (spec 7.2, 7.3). Pure. */
#ifndef KERNEL_ESR_H
#define KERNEL_ESR_H

#include "types.h"

/* "data abort from EL1, write, translation fault, level 3" into `text`; returns its length. */
int esr_describe(u32 esr, char *text, size_t size);

#endif
