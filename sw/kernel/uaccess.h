/* User memory from the kernel, and loads or stores that are expected to fault.
 *
 * EL1 may touch user pages only while SUM is set (PAN = not SUM). copy_* fault pages in like the
 * task itself would; they return 0 or -EFAULT. */
#ifndef KERNEL_UACCESS_H
#define KERNEL_UACCESS_H

#include "types.h"

int copy_from_user(void *to, vaddr_t from, u32 bytes);
int copy_to_user(vaddr_t to, const void *from, u32 bytes);

/* One word of the current user mapping, faulted in as needed. */
int get_user(u32 *value, vaddr_t from);
int put_user(u32 value, vaddr_t to);

/* One access without help: `error` comes back when it faults. */
int probe_read(int error, vaddr_t address, u32 *value);
int probe_write(int error, vaddr_t address, u32 value);

#endif
