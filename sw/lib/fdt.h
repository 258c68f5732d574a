/* Flattened device trees (Devicetree Specification 0.4, chapter 5): properties are found and
 * changed in place, nothing grows. Numbers are big-endian. */
#ifndef LIB_FDT_H
#define LIB_FDT_H

#include "types.h"

/* Among the trees that lie one behind the other, each at a multiple of 8 bytes, that of a machine
 * (sysinfo_name); NULL: there is none. */
void *fdt_of(char *trees, const char *end, const char *machine);

u32 fdt_size(const void *tree); /* 0: this is no tree */

/* The value of a property and its length; NULL: not there. `node` is the whole name, as in
 * "memory@80000000", "" the root; of several nodes of a name the first. */
void *fdt_property(void *tree, const char *node, const char *name, u32 *length);

/* One cell of a property; 0: it is not there. */
u32 fdt_get_cell(void *tree, const char *node, const char *name, u32 cell);

/* Writes one cell of a property that must be there; the answer is whether it is. */
bool fdt_set_cell(void *tree, const char *node, const char *name, u32 cell, u32 value);

#endif
