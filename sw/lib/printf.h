/* Formatted output.
 *
 * kvsnprintf knows %c %s %d %u %x %p with the flags '0' and '-', a width (also '*') and the
 * lengths l and ll, and %%. It always terminates the buffer and returns the length that the text
 * has or would have had. kprintf goes to the console.
 */
#ifndef LIB_PRINTF_H
#define LIB_PRINTF_H

#include "types.h"
#include <stdarg.h>

int kvsnprintf(char *out, size_t size, const char *fmt, va_list args);
int ksnprintf(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int kprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void console_write(const char *text, u32 length); /* the same for text as it is */

/* A millionth is the unit of every measured value that is not an integer. */
#define E6 1000000ll

/* a / b in millionths, rounded to nearest; b must not be 0. */
s64 ratio_e6(s64 a, s64 b);

/* Text of a value in millionths with `decimals` (0..6) digits after the point, rounded. The result
 * lives in one of eight rotating buffers, so that one kprintf can use several. */
const char *fixed(s64 value_e6, unsigned decimals);

/* Text of a size in bytes: "32 KiB", "1536 B". Rotating buffers as with fixed(). */
const char *bytes_text(u64 bytes);

#endif
