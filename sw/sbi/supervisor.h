/* Machine mode in the place of S- or U-mode: its memory with its rights, and its traps. */
#ifndef SBI_SUPERVISOR_H
#define SBI_SUPERVISOR_H

#include "lib/csr.h"
#include "lib/regs.h"
#include "types.h"

struct fault {
    u32 cause; /* 0: none */
    u32 value; /* the address */
};

/* One access as the interrupted mode would make it. `status` is MSTATUS_MPRV, with MSTATUS_MXR for
 * a page that can only be executed. A fault is stored and the access answers 0. */
u32 load_byte(u32 address, u32 status, struct fault *fault);
u32 load_word(u32 address, u32 status, struct fault *fault); /* aligned */
void store_byte(u32 address, u32 status, struct fault *fault, u32 byte);

/* The interrupted program sees the fault as if machine mode did not exist. */
void supervisor_trap(struct regs *regs, struct fault fault);

/* Whether the core has physical memory protection: without an entry its CSRs do not exist. */
bool pmp_exists(void);

#endif
