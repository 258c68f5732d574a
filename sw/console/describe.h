/* Descriptors in words. Pure: host tests compare it with the golden model's permissions. */
#ifndef CONSOLE_DESCRIBE_H
#define CONSOLE_DESCRIBE_H

#include "mm/pte.h"

struct rights {
    bool read, write, execute;
};

/* Of a leaf at EL1 (kernel) or EL0 (user), with SCTLR.WXN as the kernel sets it. PAN is left out:
 * the kernel may touch user pages only inside copy_to_user and copy_from_user. */
struct rights kernel_rights(pte_t leaf);
struct rights user_rights(pte_t leaf);

const char *rights_letters(struct rights rights); /* "r-x" */
const char *rights_words(struct rights rights);   /* "read and execute" */

/* Of a MAIR byte: "write-back", "device", ... */
const char *memory_type_words(u8 mair);

/* Two leaves that differ in nothing but their address have the same attributes. */
u64 leaf_attributes(pte_t leaf);

#endif
