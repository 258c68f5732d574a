#include "lib/runtime_const.h"

#define OP_IMM 0x13u
#define LUI    0x37u

/* Instruction formats of RISC-V: opcode, rd, funct3, rs1 and twelve bits; opcode, rd, twenty. */
#define OPCODE      0x7fu
#define RD          0xf80u
#define FUNCT3(i)   ((i) >> 12 & 7)
#define I_OPERANDS  0x000fff80u
#define I_IMMEDIATE 20
#define U_IMMEDIATE 12

bool runtime_const_patch(u32 *instruction, const u32 *values, u32 nr_values)
{
    u32 i = *instruction, number;

    switch (i & OPCODE) {
    case RUNTIME_CONST_OPCODE_I:
        number = i >> I_IMMEDIATE;
        /* Shifts are by less than a word, and a small value may not look negative. */
        if (number >= nr_values || values[number] > (FUNCT3(i) ? 31u : 2047u))
            return false;
        *instruction = OP_IMM | (i & I_OPERANDS) | values[number] << I_IMMEDIATE;
        return true;
    case RUNTIME_CONST_OPCODE_U:
        number = i >> U_IMMEDIATE;
        if (number >= nr_values || values[number] & (BIT(U_IMMEDIATE) - 1))
            return false;
        *instruction = LUI | (i & RD) | values[number];
        return true;
    }
    return false;
}
