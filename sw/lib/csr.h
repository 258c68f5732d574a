/* Control and status registers of RISC-V (privileged specification), for C and assembler. */
#ifndef LIB_CSR_H
#define LIB_CSR_H

#define CSR_CYCLE    0xc00
#define CSR_INSTRET  0xc02
#define CSR_CYCLEH   0xc80
#define CSR_INSTRETH 0xc82

#define CSR_MENVCFG 0x30a
#define CSR_SENVCFG 0x10a

/* Cache block operations of the modes below: cbo.inval flushes, so that no task can drop lines that
 * the kernel wrote; clean and flush are allowed. */
#define ENVCFG_CBIE_FLUSH (1 << 4)
#define ENVCFG_CBCFE      (1 << 6)

#define MSTATUS_MPP_MASK (3 << 11)
#define MSTATUS_MPP_S    (1 << 11)
#define MSTATUS_MPRV     (1 << 17)
#define MSTATUS_MXR      (1 << 19)
#define SSTATUS_SIE      (1 << 1)
#define SSTATUS_SPIE     (1 << 5)
#define SSTATUS_SPP      (1 << 8)
#define SSTATUS_SUM      (1 << 18)

#define IP_SSIP (1 << 1)
#define IP_STIP (1 << 5)
#define IP_MTIP (1 << 7)
#define IP_SEIP (1 << 9)
#define IP_MEIP (1 << 11)

/* One byte of pmpcfg. */
#define PMP_RWX   7
#define PMP_NAPOT (3 << 3)

#define CAUSE_INTERRUPT        0x80000000
#define CAUSE_FETCH_ACCESS     1
#define CAUSE_LOAD_MISALIGNED  4
#define CAUSE_LOAD_ACCESS      5
#define CAUSE_STORE_MISALIGNED 6
#define CAUSE_STORE_ACCESS     7
#define CAUSE_ECALL_U          8
#define CAUSE_ECALL_S          9
#define CAUSE_FETCH_PAGE       12
#define CAUSE_LOAD_PAGE        13
#define CAUSE_STORE_PAGE       15
#define CAUSE_S_SOFTWARE       (CAUSE_INTERRUPT | 1)
#define CAUSE_S_TIMER          (CAUSE_INTERRUPT | 5)
#define CAUSE_S_EXTERNAL       (CAUSE_INTERRUPT | 9)
#define CAUSE_M_TIMER          (CAUSE_INTERRUPT | 7)
#define CAUSE_M_EXTERNAL       (CAUSE_INTERRUPT | 11)

/* Exceptions that S-mode handles: all but its own environment calls (causes 0-8, 12, 13, 15). */
#define MEDELEG_ALL_BUT_ECALL_S 0xb1ff

/* clang-format off */
#ifdef __ASSEMBLER__
/* S- and U-mode reach memory only where protection lets them, and after reset that is nowhere.
 * A machine without protection has no such registers: the trap goes on behind them. Takes mtvec. */
    .macro OPEN_PMP
    la      t0, 1f
    csrw    mtvec, t0
    li      t0, -1
    csrw    pmpaddr0, t0
    li      t0, PMP_NAPOT | PMP_RWX
    csrw    pmpcfg0, t0
    .balign 4
1:
    .endm
#else
/* clang-format on */
#include "types.h"

#define csr_read(csr)                                                         \
    ({                                                                        \
        u32 value_;                                                           \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(csr) : "memory"); \
        value_;                                                               \
    })
#define csr_write(csr, value) __asm__ volatile("csrw %0, %1" ::"i"(csr), "r"(value) : "memory")
#define csr_read_named(name)                                          \
    ({                                                                \
        u32 value_;                                                   \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)::"memory"); \
        value_;                                                       \
    })
#define csr_write_named(name, value) \
    __asm__ volatile("csrw " #name ", %0" ::"r"((u32)(value)) : "memory")
#define csr_set_named(name, bits)   __asm__ volatile("csrs " #name ", %0" ::"r"(bits) : "memory")
#define csr_clear_named(name, bits) __asm__ volatile("csrc " #name ", %0" ::"r"(bits) : "memory")

/* A 64-bit counter in two halves: again when the low one wrapped in between. */
#define csr_read64(low, high)        \
    ({                               \
        u32 high_, low_, again_;     \
        do {                         \
            high_ = csr_read(high);  \
            low_ = csr_read(low);    \
            again_ = csr_read(high); \
        } while (high_ != again_);   \
        (u64) high_ << 32 | low_;    \
    })
#endif

#endif
