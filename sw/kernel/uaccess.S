/* Accesses that may fault. kernel_trap sends a fault between the labels, which it cannot resolve,
 * to uaccess_fault: the function then returns what is in a0 at that time. */
    .text
    .globl uaccess_start, uaccess_end, uaccess_fault

/* u32 copy_bytes(u32 left, void *to, const void *from): bytes that were not copied */
    .globl copy_bytes
copy_bytes:
uaccess_start:
    beqz    a0, 2f
1:  lbu     t0, 0(a2)
    sb      t0, 0(a1)
    addi    a1, a1, 1
    addi    a2, a2, 1
    addi    a0, a0, -1
    bnez    a0, 1b
2:  ret

/* int probe_read(int error, vaddr_t address, u32 *value): 0, or `error` when the load faults */
    .globl probe_read
probe_read:
    lw      t0, 0(a1)
    sw      t0, 0(a2)
    li      a0, 0
    ret

/* int probe_write(int error, vaddr_t address, u32 value): 0, or `error` when the store faults */
    .globl probe_write
probe_write:
    sw      a2, 0(a1)
    li      a0, 0
    ret
uaccess_end:

uaccess_fault:
    ret
