/* Permissions of an area; kernel and user programs share them. */
#ifndef MM_VM_FLAGS_H
#define MM_VM_FLAGS_H

#define VM_READ  1u
#define VM_WRITE 2u
#define VM_EXEC  4u
#define VM_DATA  (VM_READ | VM_WRITE)

#endif
