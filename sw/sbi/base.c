/* Base extension (SBI 2.0, chapter 4): which firmware this is, and what it has. */
#include "lib/csr.h"
#include "sbi/sbi.h"

#define SPEC_VERSION   (2u << 24 | 0) /* major, minor */
#define IMPLEMENTATION 0x4c4e5247u    /* "GRNL", as SYSINFO says; nobody has registered it */
#define VERSION        1u

enum {
    GET_SPEC_VERSION,
    GET_IMPL_ID,
    GET_IMPL_VERSION,
    PROBE_EXTENSION,
    GET_MVENDORID,
    GET_MARCHID,
    GET_MIMPID,
};

struct sbi_ret sbi_base(u32 function, const u32 *args)
{
    switch (function) {
    case GET_SPEC_VERSION:
        return sbi_value(SPEC_VERSION);
    case GET_IMPL_ID:
        return sbi_value(IMPLEMENTATION);
    case GET_IMPL_VERSION:
        return sbi_value(VERSION);
    case PROBE_EXTENSION:
        return sbi_value(sbi_available(args[0]));
    case GET_MVENDORID:
        return sbi_value(csr_read_named(mvendorid));
    case GET_MARCHID:
        return sbi_value(csr_read_named(marchid));
    case GET_MIMPID:
        return sbi_value(csr_read_named(mimpid));
    }
    return sbi_error(SBI_NOT_SUPPORTED);
}
