/* Which memory is whose: this firmware's is at the start, up to __firmware_end. */
#ifndef SBI_MEMORY_H
#define SBI_MEMORY_H

#include "types.h"

/* All of it is memory that S-mode may have read or written for it. */
bool supervisor_memory(paddr_t start, u32 length);

/* Keeps S- and U-mode out of the firmware, where the core has physical memory protection. */
void protect_firmware(void);

extern char __firmware_start[], __firmware_end[];

#endif
