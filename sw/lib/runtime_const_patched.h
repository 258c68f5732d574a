/* Runtime constants as immediates. What stands in the image is the number of the constant, and an
 * opcode that traps; section runtime_sites has the address of each such instruction. */
#define RUNTIME_SITE "\n\t.pushsection runtime_sites, \"a\"\n\t.word 1b\n\t.popsection"

/* Formats I and U of the instructions; %c: a constant without its sign. */
#define RUNTIME_I(funct3) "1: .insn i %c2, " #funct3 ", %0, %z1, %c3" RUNTIME_SITE
#define RUNTIME_U         "1: .insn u %c1, %0, %c2" RUNTIME_SITE

#define RUNTIME_CONST_FUNCTIONS(name, value)                                               \
    static inline u32 runtime_small_##name(void)                                           \
    {                                                                                      \
        u32 result;                                                                        \
                                                                                           \
        __asm__ inline(RUNTIME_I(0)                                                        \
                       : "=r"(result)                                                      \
                       : "rJ"(0), "i"(RUNTIME_CONST_OPCODE_I), "i"(RUNTIME_CONST_##name)); \
        return result;                                                                     \
    }                                                                                      \
    static inline u32 runtime_upper_##name(void)                                           \
    {                                                                                      \
        u32 result;                                                                        \
                                                                                           \
        __asm__ inline(RUNTIME_U                                                           \
                       : "=r"(result)                                                      \
                       : "i"(RUNTIME_CONST_OPCODE_U), "i"(RUNTIME_CONST_##name));          \
        return result;                                                                     \
    }                                                                                      \
    static inline uintptr_t runtime_add_##name(uintptr_t x)                                \
    {                                                                                      \
        uintptr_t result;                                                                  \
                                                                                           \
        __asm__ inline(RUNTIME_I(0)                                                        \
                       : "=r"(result)                                                      \
                       : "r"(x), "i"(RUNTIME_CONST_OPCODE_I), "i"(RUNTIME_CONST_##name));  \
        return result;                                                                     \
    }                                                                                      \
    static inline u32 runtime_shl_##name(u32 x)                                            \
    {                                                                                      \
        u32 result;                                                                        \
                                                                                           \
        __asm__ inline(RUNTIME_I(1)                                                        \
                       : "=r"(result)                                                      \
                       : "r"(x), "i"(RUNTIME_CONST_OPCODE_I), "i"(RUNTIME_CONST_##name));  \
        return result;                                                                     \
    }                                                                                      \
    static inline u32 runtime_shr_##name(u32 x)                                            \
    {                                                                                      \
        u32 result;                                                                        \
                                                                                           \
        __asm__ inline(RUNTIME_I(5)                                                        \
                       : "=r"(result)                                                      \
                       : "r"(x), "i"(RUNTIME_CONST_OPCODE_I), "i"(RUNTIME_CONST_##name));  \
        return result;                                                                     \
    }
