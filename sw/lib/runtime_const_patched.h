/* Runtime constants as immediates. What stands in the image is the number of the constant, and an
 * opcode that traps; section runtime_sites has the address of each such instruction. */
#define RUNTIME_SITE "\n\t.pushsection runtime_sites, \"a\"\n\t.word 1b\n\t.popsection"

#define RUNTIME_I(funct3, x, name)                                                        \
    ({                                                                                    \
        u32 result_;                                                                      \
        __asm__ inline("1: .insn i %c3, " #funct3 ", %0, %1, %c2" RUNTIME_SITE            \
                       : "=r"(result_)                                                    \
                       : "r"(x), "i"(RUNTIME_CONST_##name), "i"(RUNTIME_CONST_OPCODE_I)); \
        result_;                                                                          \
    })

#define runtime_const_shl(x, name) RUNTIME_I(1, (u32)(x), name)
#define runtime_const_shr(x, name) RUNTIME_I(5, (u32)(x), name)
#define runtime_const(name)                                                       \
    ({                                                                            \
        u32 result_;                                                              \
        __asm__ inline("1: .insn i %c2, 0, %0, x0, %c1" RUNTIME_SITE              \
                       : "=r"(result_)                                            \
                       : "i"(RUNTIME_CONST_##name), "i"(RUNTIME_CONST_OPCODE_I)); \
        result_;                                                                  \
    })
#define runtime_const_upper(name)                                                 \
    ({                                                                            \
        u32 result_;                                                              \
        __asm__ inline("1: .insn u %c2, %0, %c1" RUNTIME_SITE                     \
                       : "=r"(result_)                                            \
                       : "i"(RUNTIME_CONST_##name), "i"(RUNTIME_CONST_OPCODE_U)); \
        result_;                                                                  \
    })
