/* Flattened device trees (Devicetree Specification 0.4, chapter 5): properties are found and
 * changed in place, nothing grows. Numbers are big-endian. */
#ifndef SBI_FDT_H
#define SBI_FDT_H

#include "types.h"

u32 fdt_size(const void *tree); /* 0: this is no tree */

/* The value of a property and its length; NULL: not there. `node` is the whole name, as in
 * "memory@80000000", "" the root; of several nodes of a name the first. */
void *fdt_property(void *tree, const char *node, const char *name, u32 *length);

/* Writes one cell of a property that must be there; the answer is whether it is. */
bool fdt_set_cell(void *tree, const char *node, const char *name, u32 cell, u32 value);

#endif
