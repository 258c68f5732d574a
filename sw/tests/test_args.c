/* Sources: console/args.c
 *
 * Arguments of console commands: what is a number, and what is said when it is none. */
#include "check.h"
#include "console/args.h"
#include "lib/string.h"

static bool reads(const char *text, u32 wanted)
{
    u32 value = ~wanted;

    return parse_number(text, &value) && value == wanted;
}

static bool refuses(const char *text)
{
    u32 value;

    return !parse_number(text, &value);
}

static void numbers(void)
{
    CHECK(reads("0", 0) && reads("4096", 4096) && reads("4294967295", 0xffffffff));
    CHECK(reads("0x80000000", 0x80000000) && reads("0XfFfFfFfF", 0xffffffff));
    CHECK(reads("0x00000000000000001", 1));
    CHECK(refuses("") && refuses("0x") && refuses("x") && refuses("12a") && refuses("0xg"));
    CHECK(refuses("4294967296") && refuses("0x100000000") && refuses("-1") && refuses("1 "));
    CHECK(refuses("99999999999999999999999999") && refuses("0x1ffffffffffffffff"));
}

static void words(void)
{
    char line[] = "  walk 0x10  2 ";
    char *args = line;

    CHECK(strcmp(next_word(&args), "walk") == 0);
    CHECK(strcmp(next_word(&args), "0x10") == 0);
    CHECK(strcmp(next_word(&args), "2") == 0);
    CHECK(!next_word(&args) && !next_word(&args));
}

/* What is printed for the arguments in `line`; empty: they were fine. */
static const char *said(const char *text)
{
    static char line[64];
    char *args = line;
    vaddr_t va;

    memcpy(line, text, strlen(text) + 1);
    if (address_argument(&args, "`walk 0x80000000`", &va))
        no_more_arguments(args, "`walk 0x80000000`");
    return console_text();
}

static void complaints(void)
{
    CHECK(strcmp(said(" 0x10 "), "") == 0);
    CHECK(strcmp(said(" "), "an address is missing; type `walk 0x80000000`\n") == 0);
    CHECK(strcmp(said("here"), "'here' is no address from 0 to 0xffffffff; "
                               "type `walk 0x80000000`\n") == 0);
    CHECK(strcmp(said("1 2"), "'2' is one argument too many; type `walk 0x80000000`\n") == 0);
}

int main(void)
{
    numbers();
    words();
    complaints();
    return finish();
}
