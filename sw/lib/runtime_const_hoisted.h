/* Runtime constants in a table. The load says nothing of memory, so that the compiler may move it
 * out of loops and share it: no store changes a constant. */
#define RUNTIME_CONST_FUNCTIONS(name, value)                \
    static inline u32 runtime_small_##name(void)            \
    {                                                       \
        u32 result;                                         \
                                                            \
        __asm__ inline("lw %0, runtime_values + 4 * %c1"    \
                       : "=r"(result)                       \
                       : "i"(RUNTIME_CONST_##name));        \
        return result;                                      \
    }                                                       \
    static inline u32 runtime_upper_##name(void)            \
    {                                                       \
        return runtime_small_##name();                      \
    }                                                       \
    static inline uintptr_t runtime_add_##name(uintptr_t x) \
    {                                                       \
        return x + runtime_small_##name();                  \
    }                                                       \
    static inline u32 runtime_shl_##name(u32 x)             \
    {                                                       \
        return x << runtime_small_##name();                 \
    }                                                       \
    static inline u32 runtime_shr_##name(u32 x)             \
    {                                                       \
        return x >> runtime_small_##name();                 \
    }
