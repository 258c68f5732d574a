/* Permissions of an area; kernel and user programs share them. */
#ifndef MM_VM_FLAGS_H
#define MM_VM_FLAGS_H

#define VM_READ   1u
#define VM_WRITE  2u
#define VM_EXEC   4u
#define VM_DATA   (VM_READ | VM_WRITE)
#define VM_ACCESS (VM_READ | VM_WRITE | VM_EXEC)

#define VM_SHARED   8u  /* of a file: stores are seen by all who map it, and by the file */
#define VM_MIXEDMAP 16u /* the kernel's own: pages and frames that are no pages, side by side */

#endif
