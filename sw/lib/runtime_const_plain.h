/* Runtime constants as C expressions: the compiler folds them, or loads what they are made of. */
#define RUNTIME_CONST_FUNCTIONS(name, value)                \
    static inline u32 runtime_small_##name(void)            \
    {                                                       \
        return value;                                       \
    }                                                       \
    static inline u32 runtime_upper_##name(void)            \
    {                                                       \
        return value;                                       \
    }                                                       \
    static inline uintptr_t runtime_add_##name(uintptr_t x) \
    {                                                       \
        return x + (value);                                 \
    }                                                       \
    static inline u32 runtime_shl_##name(u32 x)             \
    {                                                       \
        return x << (value);                                \
    }                                                       \
    static inline u32 runtime_shr_##name(u32 x)             \
    {                                                       \
        return x >> (value);                                \
    }
