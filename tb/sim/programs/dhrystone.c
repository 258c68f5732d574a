// Dhrystone's first file (see dhrystone.h): RUNS runs after ten that fill the caches. Prints
// where their cycles went, and checks what must be left in every variable.
#include "dhrystone.h"

#include "counters.h"

#define RUNS 2000

int global_number;
char global_char_1;
static char global_char_2;
static int global_bool;
static int array_1[ARRAY_SIZE], array_2[ARRAY_SIZE][ARRAY_SIZE];
static struct record first_record, second_record, *global_record;
static char __attribute__((aligned(4))) text_1[STRING_SIZE], text_2[STRING_SIZE];
static struct {
    int one, two, three;
    enum identifier name;
} last; // locals of the last run

static void proc_2(int *number)
{
    int n = *number + 10;
    for (enum identifier name = IDENT_2; name != IDENT_1;)
        if (global_char_1 == 'A') {
            n--;
            *number = n - global_number;
            name = IDENT_1;
        }
}

static void proc_3(struct record **result)
{
    if (global_record)
        *result = global_record->next;
    proc_7(10, global_number, &global_record->number);
}

static void proc_1(struct record *record)
{
    struct record *next = record->next;
    *record->next = *global_record;
    record->number = 5;
    next->number = record->number;
    next->next = record->next;
    proc_3(&next->next);
    if (next->discriminant == IDENT_1) {
        next->number = 6;
        proc_6(record->component, &next->component);
        next->next = global_record->next;
        proc_7(next->number, 10, &next->number);
    } else {
        *record = *record->next;
    }
}

static void proc_4(void)
{
    const int is_a = global_char_1 == 'A';
    global_bool = is_a | global_bool;
    global_char_2 = 'B';
}

static void proc_5(void)
{
    global_char_1 = 'A';
    global_bool = 0;
}

static void run(int number)
{
    proc_5();
    proc_4();
    int one = 2, two = 3, three = 0;
    enum identifier name = IDENT_2;
    strcpy(text_2, "DHRYSTONE PROGRAM, 2'ND STRING");
    global_bool = !func_2(text_1, text_2);
    while (one < two) {
        three = 5 * one - two;
        proc_7(one, two, &three);
        one++;
    }
    proc_8(array_1, array_2, one, three);
    proc_1(global_record);
    for (char c = 'A'; c <= global_char_2; c++)
        if (name == func_1(c, 'C')) {
            proc_6(IDENT_1, &name);
            strcpy(text_2, "DHRYSTONE PROGRAM, 3'RD STRING");
            two = number;
            global_number = number;
        }
    two = two * one;
    one = two / three;
    two = 7 * (two - three) - one;
    proc_2(&one);
    last.one = one;
    last.two = two;
    last.three = three;
    last.name = name;
}

static void check(void)
{
    EXPECT(global_number, 5);
    EXPECT(global_bool, 1);
    EXPECT(global_char_1, 'A');
    EXPECT(global_char_2, 'B');
    EXPECT(array_1[8], 7);
    EXPECT(array_2[8][7], 10 + RUNS);
    EXPECT(first_record.discriminant, IDENT_1);
    EXPECT(first_record.component, IDENT_3);
    EXPECT(first_record.number, 17);
    EXPECT(strcmp(first_record.text, "DHRYSTONE PROGRAM, SOME STRING"), 0);
    EXPECT(second_record.discriminant, IDENT_1);
    EXPECT(second_record.component, IDENT_2);
    EXPECT(second_record.number, 18);
    EXPECT(strcmp(second_record.text, "DHRYSTONE PROGRAM, SOME STRING"), 0);
    EXPECT(last.one, 5);
    EXPECT(last.two, 13);
    EXPECT(last.three, 7);
    EXPECT(last.name, IDENT_2);
    EXPECT(strcmp(text_1, "DHRYSTONE PROGRAM, 1'ST STRING"), 0);
    EXPECT(strcmp(text_2, "DHRYSTONE PROGRAM, 2'ND STRING"), 0);
}

int main(void)
{
    global_record = &first_record;
    first_record = (struct record){&second_record, IDENT_1, IDENT_3, 40, ""};
    strcpy(first_record.text, "DHRYSTONE PROGRAM, SOME STRING");
    strcpy(text_1, "DHRYSTONE PROGRAM, 1'ST STRING");
    for (int n = 1; n <= 10; n++)
        run(n);
    stall_counters_begin();
    counters_start();
    for (int n = 1; n <= RUNS; n++)
        run(n);
    counters_stop();
    put_value("runs", RUNS);
    stall_counters_print("dhrystone");
    check();
    return failures;
}
