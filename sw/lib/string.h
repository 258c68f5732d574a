/* The string functions that freestanding C needs, and the few that the parsers use. */
#ifndef LIB_STRING_H
#define LIB_STRING_H

#include "types.h"

void *memset(void *to, int byte, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);

/* Decimal number that fills the whole string. -EINVAL: empty, other characters, above 2^31-1. */
int parse_decimal(const char *s, s32 *value);

#endif
