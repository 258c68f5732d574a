/* What no C says: accesses that may be misaligned, as one instruction each; instructions as data;
 * and the fence between writing and executing them. RISC-V is what is tested; x86-64 is there so
 * that the same checksums can be made on the host.
 */
#ifndef ARCH_H
#define ARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__riscv)
#include <sys/syscall.h>
#include <unistd.h>

#define DEFINE_LOAD(name, type, instruction)                                           \
    static inline type name(const void *at)                                            \
    {                                                                                  \
        type value;                                                                    \
        __asm__ volatile(instruction " %0, 0(%1)" : "=r"(value) : "r"(at) : "memory"); \
        return value;                                                                  \
    }
#define DEFINE_STORE(name, type, instruction)                                          \
    static inline void name(void *at, type value)                                      \
    {                                                                                  \
        __asm__ volatile(instruction " %0, 0(%1)" : : "r"(value), "r"(at) : "memory"); \
    }
DEFINE_LOAD(load_u16, uint16_t, "lhu")
DEFINE_LOAD(load_s16, int16_t, "lh")
DEFINE_LOAD(load_u32, uint32_t, "lw")
DEFINE_STORE(store_u16, uint16_t, "sh")
DEFINE_STORE(store_u32, uint32_t, "sw")

#define CODE_BYTES 12

/* lui a0, value[31:12]; addi a0, a0, value[11:0]; ret */
static inline void write_code(void *at, uint32_t value)
{
    uint32_t *code = at;

    code[0] = 0x00000537 | ((value + 0x800) & 0xfffff000);
    code[1] = 0x00050513 | (value << 20);
    code[2] = 0x00008067;
}

static inline void publish_code(void *start, size_t bytes)
{
    syscall(__NR_riscv_flush_icache, start, (char *)start + bytes, 0);
}

#define ILLEGAL_INSTRUCTION() __asm__ volatile(".word 0")

#else

#define DEFINE_LOAD(name, type)             \
    static inline type name(const void *at) \
    {                                       \
        type value;                         \
        memcpy(&value, at, sizeof(value));  \
        return value;                       \
    }
#define DEFINE_STORE(name, type)                  \
    static inline void name(void *at, type value) \
    {                                             \
        memcpy(at, &value, sizeof(value));        \
    }
DEFINE_LOAD(load_u16, uint16_t)
DEFINE_LOAD(load_s16, int16_t)
DEFINE_LOAD(load_u32, uint32_t)
DEFINE_STORE(store_u16, uint16_t)
DEFINE_STORE(store_u32, uint32_t)

#define CODE_BYTES 6

/* mov eax, value; ret */
static inline void write_code(void *at, uint32_t value)
{
    uint8_t *code = at;

    code[0] = 0xb8;
    memcpy(code + 1, &value, sizeof(value));
    code[5] = 0xc3;
}

static inline void publish_code(void *start, size_t bytes)
{
    __builtin___clear_cache((char *)start, (char *)start + bytes);
}

#define ILLEGAL_INSTRUCTION() __builtin_trap()
#endif

static inline uint32_t call_code(void *at)
{
    return ((uint32_t(*)(void))at)();
}

#endif
