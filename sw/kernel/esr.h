/* The fault record in words (spec 7.2, 7.3). Pure. */
#ifndef KERNEL_ESR_H
#define KERNEL_ESR_H

#include "types.h"

/* Status codes at level 0; the level is added. */
#define ESR_TRANSLATION_FAULT 0x04
#define ESR_ACCESS_FLAG_FAULT 0x08
#define ESR_PERMISSION_FAULT  0x0c

/* Six bits of status, of ESR or PAR: "translation fault, level 3". */
int esr_status_describe(u32 status, char *text, size_t size);

/* "data abort from EL1, write, translation fault, level 3" into `text`; returns its length. */
int esr_describe(u32 esr, char *text, size_t size);

#endif
