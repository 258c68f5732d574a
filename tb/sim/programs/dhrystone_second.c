// Dhrystone's second file, and the two functions of the library: see dhrystone.h.
#include "dhrystone.h"

#include <stdint.h>

void proc_6(enum identifier value, enum identifier *result)
{
    *result = func_3(value) ? value : IDENT_4;
    switch (value) {
    case IDENT_1:
        *result = IDENT_1;
        break;
    case IDENT_2:
        *result = global_number > 100 ? IDENT_1 : IDENT_4;
        break;
    case IDENT_3:
        *result = IDENT_2;
        break;
    case IDENT_4:
        break;
    case IDENT_5:
        *result = IDENT_3;
        break;
    }
}

void proc_7(int a, int b, int *result)
{
    *result = b + (a + 2);
}

void proc_8(int *array_1, int (*array_2)[ARRAY_SIZE], int index, int value)
{
    const int i = index + 5;
    array_1[i] = value;
    array_1[i + 1] = array_1[i];
    array_1[i + 30] = i;
    for (int n = i; n <= i + 1; n++)
        array_2[i][n] = i;
    array_2[i][i - 1] += 1;
    array_2[i + 20][i] = array_1[i];
    global_number = 5;
}

enum identifier func_1(char a, char b)
{
    const char one = a, two = one;
    if (two != b)
        return IDENT_1;
    global_char_1 = one;
    return IDENT_2;
}

int func_2(const char *a, const char *b)
{
    int n = 2;
    char c = 'A';
    while (n <= 2)
        if (func_1(a[n], b[n + 1]) == IDENT_1) {
            c = 'A';
            n++;
        }
    if (c >= 'W' && c < 'Z')
        n = 7;
    if (c == 'R')
        return 1;
    if (strcmp(a, b) <= 0)
        return 0;
    n += 7;
    global_number = n;
    return 1;
}

int func_3(enum identifier value)
{
    const enum identifier copy = value;
    return copy == IDENT_3;
}

// Words are compared and copied while both strings are aligned and have no zero byte, as C
// libraries for RISC-V do.
typedef uint32_t __attribute__((may_alias)) word;

static inline __attribute__((always_inline)) int aligned(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

static inline __attribute__((always_inline)) int has_zero(uint32_t w)
{
    return ((w - 0x01010101) & ~w & 0x80808080) != 0;
}

char *strcpy(char *to, const char *from)
{
    char *p = to;
    if (aligned(to, from))
        for (; !has_zero(*(const word *)from); from += 4, p += 4)
            *(word *)p = *(const word *)from;
    while ((*p++ = *from++))
        ;
    return to;
}

int strcmp(const char *a, const char *b)
{
    if (aligned(a, b))
        for (; *(const word *)a == *(const word *)b; a += 4, b += 4)
            if (has_zero(*(const word *)a))
                return 0;
    for (; *a == *b; a++, b++)
        if (!*a)
            return 0;
    return (unsigned char)*a - (unsigned char)*b;
}
