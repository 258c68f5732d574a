/* Constants that boot decides, used as if the compiler had known them (Linux: runtime-const).
 *
 * A header lists its constants as RUNTIME_CONST(name, value), numbers them as enum
 * RUNTIME_CONST_name and makes their functions by RUNTIME_CONST_FUNCTIONS. Then there are
 *
 *   runtime_const(name)           the value
 *   runtime_const_upper(name)     the same, of a value whose low 12 bits are 0
 *   runtime_const_add(x, name)    x + value
 *   runtime_const_shl(x, name)    x << value
 *   runtime_const_shr(x, name)    x >> value
 *
 * Each is one instruction, with an immediate that boot writes into it before the kernel's text
 * becomes read-only (boot/patch.c). Until then the instruction has an opcode that no core knows: a
 * constant that is used too early traps. Three other forms stand beside it: where nothing can be
 * patched (tests on the host) or is to be (an image with one page size) the value is the plain C
 * expression; `hoisted` loads it from memory, but in a way that the compiler may do once for a
 * whole function. docs/page-size.md measures all of them.
 */
#ifndef LIB_RUNTIME_CONST_H
#define LIB_RUNTIME_CONST_H

#include "types.h"

#define RUNTIME_CONST_OPCODE_I 0x0b /* custom-0, in the place of OP-IMM */
#define RUNTIME_CONST_OPCODE_U 0x2b /* custom-1, in the place of LUI */

extern u32 runtime_values[]; /* by number: what boot writes into the instructions */

#if !defined(__riscv) || defined(GRANULE_PLAIN) || defined(GRANULE_FIXED_SHIFT)
#include "lib/runtime_const_plain.h"
#elif defined(GRANULE_HOISTED)
#include "lib/runtime_const_hoisted.h"
#else
#include "lib/runtime_const_patched.h"
#endif

#define runtime_const(name)        runtime_small_##name()
#define runtime_const_upper(name)  runtime_upper_##name()
#define runtime_const_add(x, name) runtime_add_##name(x)
#define runtime_const_shl(x, name) runtime_shl_##name(x)
#define runtime_const_shr(x, name) runtime_shr_##name(x)

/* Writes its immediate and its real opcode into one instruction. False, and nothing is written:
 * it is not one of these, or its value does not fit into it. */
bool runtime_const_patch(u32 *instruction, const u32 *values, u32 nr_values);

#endif
