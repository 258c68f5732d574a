// Dhrystone 2.1, written anew from its description: R. P. Weicker, "Dhrystone: a synthetic systems
// programming benchmark", CACM 27(10), 1984, and "Dhrystone benchmark: rationale for version 2 and
// measurement rules", SIGPLAN Notices 23(8), 1988. Each procedure has its number there. The rules:
// two files that are compiled apart, no procedure is put into another one, strings are handled by
// library functions.
#pragma once

enum identifier { IDENT_1, IDENT_2, IDENT_3, IDENT_4, IDENT_5 };
#define STRING_SIZE 31
#define ARRAY_SIZE  50

struct record {
    struct record *next;
    enum identifier discriminant, component;
    int number;
    char text[STRING_SIZE];
};

// Of the first file.
extern int global_number;
extern char global_char_1;

// Of the second file: procedures 6 to 8, functions 1 to 3.
void proc_6(enum identifier value, enum identifier *result);
void proc_7(int a, int b, int *result);
void proc_8(int *array_1, int (*array_2)[ARRAY_SIZE], int index, int value);
enum identifier func_1(char a, char b);
int func_2(const char *a, const char *b);
int func_3(enum identifier value);

// Of the library.
char *strcpy(char *to, const char *from);
int strcmp(const char *a, const char *b);
