/* Sources: console/line.c
 *
 * The line editor: what the line holds, and what a terminal shows, after the same keys. */
#include "check.h"
#include "console/line.h"
#include "lib/printf.h"
#include "lib/string.h"

#define UP     "\x1b[A"
#define DOWN   "\x1b[B"
#define RIGHT  "\x1b[C"
#define LEFT   "\x1b[D"
#define HOME   "\x1b[H"
#define END    "\x1b[F"
#define CUT    "\x1b[3~" /* the key Delete */
#define CTRL_A "\x01"
#define CTRL_E "\x05"
#define CTRL_K "\x0b"
#define CTRL_U "\x15"

static struct history history;
static struct line line;
static char screen[256]; /* one line of a terminal */
static u32 column, columns;

/* A terminal that knows what the editor uses: text, backspace, and "clear to the end". */
static void terminal(const char *text)
{
    for (; *text; text++) {
        if (*text == '\b') {
            column--;
        } else if (strncmp(text, "\x1b[K", 3) == 0) {
            columns = column;
            text += 2;
        } else {
            screen[column++] = *text;
            columns = MAX(columns, column);
        }
    }
}

void console_write(const char *text, u32 length)
{
    for (u32 i = 0; i < length; i++)
        kprintf("%c", text[i]);
}

static enum line_event type(const char *keys)
{
    enum line_event event = LINE_EDITING;

    column = columns = 0;
    line_begin(&line, "");
    for (; *keys; keys++) {
        event = line_key(&line, &history, *keys);
        terminal(console_text());
    }
    return event;
}

/* The keys give this line, and the terminal shows the same with its cursor in the same place. */
static bool gives(const char *keys, const char *wanted, u32 cursor)
{
    type(keys);
    line.text[line.length] = 0;
    screen[columns] = 0;
    return strcmp(line.text, wanted) == 0 && strcmp(screen, wanted) == 0 && column == cursor &&
           line.cursor == cursor;
}

static void editing(void)
{
    CHECK(gives("walk", "walk", 4));
    CHECK(gives("wolk" LEFT LEFT "\x7f"
                "a",
                "walk", 2));
    CHECK(gives("alk" CTRL_A "w" CTRL_E "!", "walk!", 5));
    CHECK(gives("alk" HOME "w" END "!", "walk!", 5));
    CHECK(gives("xwalk" HOME CUT, "walk", 0));
    CHECK(gives("walk 12" LEFT LEFT CTRL_K, "walk ", 5));
    CHECK(gives("no walk" LEFT LEFT LEFT LEFT CTRL_U, "walk", 0));
    CHECK(gives("ab\b\b\b\bc", "c", 1));
    CHECK(gives(LEFT RIGHT UP "a" RIGHT LEFT LEFT LEFT, "a", 0));
    CHECK(gives("a\x1b[5~b\x1bOA", "ab", 2)); /* what we do not know is swallowed */
}

static void ends(void)
{
    CHECK(type("walk\r") == LINE_DONE && strcmp(line.text, "walk") == 0);
    CHECK(type("wa\x03") == LINE_CANCELLED);
    CHECK(type("walk") == LINE_EDITING);
}

static void a_full_line(void)
{
    type("");
    for (u32 i = 0; i < 2 * LINE_SIZE; i++)
        line_key(&line, &history, 'a');
    CHECK(line.length == LINE_SIZE - 1 && line.cursor == LINE_SIZE - 1);
    CHECK(line_key(&line, &history, '\n') == LINE_DONE && strlen(line.text) == LINE_SIZE - 1);
    console_text();
}

static void recalling(void)
{
    history = (struct history){0};
    CHECK(gives(UP, "", 0));
    type("one\n");
    type("two\n");
    type("two\n");
    type("\n");
    CHECK(history.count == 2);
    CHECK(gives(UP, "two", 3));
    CHECK(gives(UP UP, "one", 3));
    CHECK(gives(UP UP UP, "one", 3));
    CHECK(gives("thr" UP UP DOWN, "two", 3));
    CHECK(gives("thr" UP UP DOWN DOWN DOWN, "thr", 3));
    CHECK(gives(UP "\x7f"
                   "x",
                "twx", 3));
    for (u32 i = 0; i < 2 * HISTORY_LINES; i++) {
        char text[8];

        ksnprintf(text, sizeof text, "%u", i);
        history_add(&history, text);
    }
    type("");
    for (u32 i = 0; i < 2 * HISTORY_LINES; i++)
        for (const char *key = UP; *key; key++)
            line_key(&line, &history, *key);
    console_text();
    CHECK(line.length == 2 && line.text[0] == '1' && line.text[1] == '6'); /* the oldest kept */
}

/* Whatever is typed, the terminal shows the line. */
static void anything(void)
{
    static const char *const keys[] = {"a", "bc", "\b",   UP,     DOWN,   LEFT,   RIGHT, HOME,
                                       END, CUT,  CTRL_A, CTRL_E, CTRL_K, CTRL_U, " "};

    type("");
    for (u32 i = 0; i < 20000; i++) {
        for (const char *key = keys[pseudo_random() % ARRAY_SIZE(keys)]; *key; key++)
            line_key(&line, &history, *key);
        terminal(console_text());
        if (i % 500 == 0) {
            line.text[line.length] = 0;
            history_add(&history, line.text);
        }
        if (column != line.cursor || columns != line.length ||
            memcmp(screen, line.text, line.length) != 0) {
            CHECK(!"the terminal shows the line");
            return;
        }
    }
    CHECK(line.length < LINE_SIZE);
}

int main(void)
{
    editing();
    ends();
    a_full_line();
    recalling();
    anything();
    return finish();
}
