/* Sources: lib/runtime_const.c
 *
 * Writing a constant of the boot into an instruction: the exact words, and what is refused. */
#include "check.h"
#include "lib/runtime_const.h"

enum { SHIFT, UPPER, TOO_LARGE, NEGATIVE, NR };
static const u32 values[NR] = {14, 0xffffc000u, 2048, 0x80000000u};

/* Words as the compiler leaves them: number of the constant, registers, funct3 and opcode. */
static u32 i_word(u32 number, u32 rs1, u32 funct3, u32 rd)
{
    return number << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x0b;
}

static u32 u_word(u32 number, u32 rd)
{
    return number << 12 | rd << 7 | 0x2b;
}

static u32 patched(u32 word)
{
    CHECK(runtime_const_patch(&word, values, NR));
    return word;
}

/* Refused, and left as it was: it still traps. */
static void refused(u32 word)
{
    u32 before = word;

    CHECK(!runtime_const_patch(&word, values, NR) && word == before);
}

TEST(instructions)
{
    CHECK(patched(i_word(SHIFT, 11, 1, 10)) == 0x00e59513); /* slli a0, a1, 14 */
    CHECK(patched(i_word(SHIFT, 15, 5, 15)) == 0x00e7d793); /* srli a5, a5, 14 */
    CHECK(patched(i_word(SHIFT, 0, 0, 13)) == 0x00e00693);  /* li   a3, 14 */
    CHECK(patched(i_word(SHIFT, 9, 0, 9)) == 0x00e48493);   /* addi s1, s1, 14 */
    CHECK(patched(u_word(UPPER, 31)) == 0xffffcfb7);        /* lui  t6, 0xffffc */
}

TEST(refusals)
{
    refused(0x00e59513);            /* patched before */
    refused(0);                     /* no instruction */
    refused(i_word(NR, 11, 1, 10)); /* there is no such constant */
    refused(u_word(NR, 10));
    refused(i_word(TOO_LARGE, 11, 5, 10)); /* no shift by so much */
    refused(i_word(TOO_LARGE, 0, 0, 10));  /* would be negative */
    refused(i_word(NEGATIVE, 0, 0, 10));
    refused(u_word(SHIFT, 10)); /* low bits would be lost */
}
