#include "mm/page_size.h"
#include "errno.h"
#include "init.h"

#ifdef GRANULE_FIXED_SHIFT

int page_size_init(unsigned page_shift, unsigned entry_shift, unsigned va_bits)
{
    bool known = page_shift == GRANULE_FIXED_SHIFT && entry_shift == ENTRY_SHIFT_MIN &&
                 va_bits == USER_VA_BITS;

    return known ? 0 : -EINVAL;
}

#else

/* Until the choice no shift is one and no level exists. */
#define POISON 0xff
#define UNKNOWN                                                                               \
    {                                                                                         \
        .page_shift = POISON, .va_bits = POISON, .level_bits = POISON, .start_level = POISON, \
        .shift = {POISON, POISON, POISON, POISON}, .down = {POISON, POISON, POISON, POISON},  \
        .entry_shift = POISON,                                                                \
    }

struct geometry kernel_geometry __ro_after_init = UNKNOWN;
struct geometry user_geometry __ro_after_init = UNKNOWN;
u32 runtime_values[NR_RUNTIME_CONSTS] __ro_after_init;

int page_size_init(unsigned page_shift, unsigned entry_shift, unsigned va_bits)
{
    int error = geometry_init(&kernel_geometry, page_shift, entry_shift, KERNEL_VA_BITS);

    if (!error)
        error = geometry_init(&user_geometry, page_shift, entry_shift, va_bits);
#define RUNTIME_CONST_SET(name, value) runtime_values[RUNTIME_CONST_##name] = value;
    RUNTIME_CONSTS(RUNTIME_CONST_SET)
    return error;
}

#endif
