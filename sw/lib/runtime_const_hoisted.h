/* Runtime constants in a table. The load says nothing of memory, so that the compiler may move it
 * out of loops and share it: no store changes a constant. */
#define runtime_const(name)                              \
    ({                                                   \
        u32 value_;                                      \
        __asm__ inline("lw %0, runtime_values + 4 * %c1" \
                       : "=r"(value_)                    \
                       : "i"(RUNTIME_CONST_##name));     \
        value_;                                          \
    })
#define runtime_const_upper(name)  runtime_const(name)
#define runtime_const_shl(x, name) ((u32)(x) << runtime_const(name))
#define runtime_const_shr(x, name) ((u32)(x) >> runtime_const(name))
