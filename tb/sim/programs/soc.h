// What test programs share: registers, traps, console.
#pragma once
#include <stdint.h>

#include "granule_events.h"
#include "granule_map.h"

#define REG32(address) (*(volatile uint32_t *)(address))
#define CSR_READ(name)                                      \
    ({                                                      \
        uint32_t value_;                                    \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)); \
        value_;                                             \
    })
// One whose number is a constant.
#define CSR_READ_NUMBER(number)                                       \
    ({                                                                \
        uint32_t value_;                                              \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(number)); \
        value_;                                                       \
    })
#define COUNTER(event)         CSR_READ_NUMBER(GRANULE_EVENT_MCOUNTER(GRANULE_EVENT_##event))
#define CSR_WRITE(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value))
#define CSR_SET(name, value)   __asm__ volatile("csrs " #name ", %0" ::"r"(value))
#define CSR_CLEAR(name, value) __asm__ volatile("csrc " #name ", %0" ::"r"(value))

enum mode { USER = 0, SUPERVISOR = 1, MACHINE = 3 };

// The last exception and how many there were; the last interrupt's number.
extern volatile struct {
    uint32_t cause, value, pc, count, interrupt, mstatus;
} trap;

extern char boot_command_line[64];

// Runs `function` in a mode; M-mode continues with its answer.
uint32_t run_in(enum mode mode, uint32_t (*function)(uint32_t), uint32_t argument, void *stack);

// The start code has switched both directions on.
#define UART_TXDATA GRANULE_UART_BASE
#define UART_RXDATA (GRANULE_UART_BASE + 4)
#define UART_TXCTRL (GRANULE_UART_BASE + 8)
#define UART_IE     (GRANULE_UART_BASE + 16)
#define UART_FULL   (1u << 31)
#define UART_EMPTY  (1u << 31)

static inline void put(char c)
{
    while (REG32(UART_TXDATA) & UART_FULL)
        ;
    REG32(UART_TXDATA) = c;
}

static inline void puts_(const char *s)
{
    while (*s)
        put(*s++);
}

static inline void put_hex(uint32_t n)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[n >> shift & 15]);
}

static inline void put_value(const char *name, uint32_t n)
{
    puts_(name);
    put(' ');
    put_hex(n);
    put('\n');
}

// A check that fails prints its line and values, and counts.
extern int failures;
#define EXPECT(got, want)                                                \
    do {                                                                 \
        const uint32_t got_ = (uint32_t)(got), want_ = (uint32_t)(want); \
        if (got_ != want_) {                                             \
            put_value("FAILED line", __LINE__);                          \
            put_value("  got  " #got, got_);                             \
            put_value("  want " #want, want_);                           \
            failures++;                                                  \
        }                                                                \
    } while (0)
