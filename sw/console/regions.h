/* Names of places: what lies at a kernel address, and at a physical one. */
#ifndef CONSOLE_REGIONS_H
#define CONSOLE_REGIONS_H

#include "types.h"

const char *kernel_region(vaddr_t va);
const char *physical_region(paddr_t pa);

#endif
