/* Misaligned loads and stores of the modes below, byte by byte. The core traps on them, Linux
 * leaves them to machine mode. Atomic instructions stay S-mode's faults: they cannot be taken
 * apart. A page fault in the middle of a store is one of the whole: it is done again. */
#include "sbi/misaligned.h"
#include "sbi/supervisor.h"

#define OPCODE(i) ((i)&0x7f)
#define FUNCT3(i) ((i) >> 12 & 7)
#define RD(i)     ((i) >> 7 & 31)
#define RS2(i)    ((i) >> 20 & 31)

enum { LOAD = 0x03, STORE = 0x23, UNSIGNED = 4, HALF = 1, WORD = 2 };

static u32 load(u32 address, u32 funct3, struct fault *fault)
{
    u32 size = 1u << (funct3 & 3);
    u32 value = 0;

    for (u32 i = 0; i < size && !fault->cause; i++)
        value |= load_byte(address + i, MSTATUS_MPRV, fault) << (8 * i);
    return funct3 == HALF ? (u32)(s32)(short)value : value;
}

static void store(u32 address, u32 funct3, u32 value, struct fault *fault)
{
    for (u32 i = 0; i < 1u << funct3 && !fault->cause; i++)
        store_byte(address + i, MSTATUS_MPRV, fault, value >> (8 * i) & 0xff);
}

void misaligned_access(struct regs *regs, struct fault trap)
{
    struct fault fault = {0, 0};
    u32 code = load_word(regs->x[REG_PC], MSTATUS_MPRV | MSTATUS_MXR, &fault);

    if (fault.cause) { /* the page is not there any more: the fetch says so again */
        return;
    } else if (OPCODE(code) == LOAD) {
        u32 value = load(trap.value, FUNCT3(code), &fault);

        if (!fault.cause && RD(code))
            regs->x[RD(code)] = value;
    } else if (OPCODE(code) == STORE) {
        store(trap.value, FUNCT3(code), RS2(code) ? regs->x[RS2(code)] : 0, &fault);
    } else {
        fault = trap;
    }
    if (fault.cause)
        supervisor_trap(regs, fault);
    else
        regs->x[REG_PC] += 4;
}
