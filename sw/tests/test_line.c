/* Sources: console/line.c
 *
 * The line editor: what the line holds, and what a terminal shows, after the same keys. */
#include "check.h"
#include "console/line.h"
#include "lib/printf.h"
#include <string.h>

#define UP     "\x1b[A"
#define DOWN   "\x1b[B"
#define RIGHT  "\x1b[C"
#define LEFT   "\x1b[D"
#define HOME   "\x1b[H"
#define END    "\x1b[F"
#define CUT    "\x1b[3~" /* the key Delete */
#define BACK   "\x7f"
#define CTRL_A "\x01"
#define CTRL_E "\x05"
#define CTRL_K "\x0b"
#define CTRL_U "\x15"

#define PROMPT  "granule> "
#define COLUMNS 80u
#define ROWS    4u

static struct history history;
static struct line line;
static char screen[ROWS * COLUMNS + 1]; /* of a terminal; 0 where nothing was printed */
static u32 at, bells;                   /* the terminal's cursor */

/* A terminal that knows what the editor uses: text that wraps at the right margin, backspace, which
 * does not go back over it, "clear to the end of the row", and the bell. */
static void terminal(const char *text)
{
    for (; *text; text++) {
        if (*text == '\b') {
            at -= at % COLUMNS > 0;
        } else if (*text == '\a') {
            bells++;
        } else if (strncmp(text, "\x1b[K", 3) == 0) {
            memset(screen + at, 0, COLUMNS - at % COLUMNS);
            text += 2;
        } else if (at < ROWS * COLUMNS) {
            screen[at++] = *text;
        }
    }
}

void console_write(const char *text, u32 length)
{
    for (u32 i = 0; i < length; i++)
        kprintf("%c", text[i]);
}

static void begin(void)
{
    memset(screen, 0, sizeof screen);
    at = bells = 0;
    console_text();
    line_begin(&line, PROMPT);
    terminal(console_text());
}

static enum line_event press(const char *keys)
{
    enum line_event event = LINE_EDITING;

    for (; *keys; keys++) {
        event = line_key(&line, &history, (u8)*keys);
        terminal(console_text());
    }
    return event;
}

static enum line_event type(const char *keys)
{
    begin();
    return press(keys);
}

/* The prompt and the line, with its cursor, and nothing else. */
static bool terminal_shows_the_line(void)
{
    u32 shown = (u32)strlen(PROMPT);

    line.text[line.length] = 0;
    return strncmp(screen, PROMPT, shown) == 0 && strcmp(screen + shown, line.text) == 0 &&
           at == shown + line.cursor;
}

/* The keys give this line, and the terminal shows the same with its cursor in the same place. */
static bool gives(const char *keys, const char *wanted, u32 cursor)
{
    type(keys);
    return terminal_shows_the_line() && strcmp(line.text, wanted) == 0 && line.cursor == cursor;
}

TEST(editing)
{
    CHECK(gives("walk", "walk", 4));
    CHECK(gives("wolk" LEFT LEFT BACK "a", "walk", 2));
    CHECK(gives("alk" CTRL_A "w" CTRL_E "!", "walk!", 5));
    CHECK(gives("alk" HOME "w" END "!", "walk!", 5));
    CHECK(gives("xwalk" HOME CUT, "walk", 0));
    CHECK(gives("walk 12" LEFT LEFT CTRL_K, "walk ", 5));
    CHECK(gives("no walk" LEFT LEFT LEFT LEFT CTRL_U, "walk", 0));
    CHECK(gives("ab\b\b\b\bc", "c", 1));
    CHECK(gives(LEFT RIGHT UP "a" RIGHT LEFT LEFT LEFT, "a", 0));
    CHECK(gives("a\x1b[5~b\x1bOA", "ab", 2)); /* what we do not know is swallowed */
}

TEST(ends)
{
    CHECK(type("walk\r") == LINE_DONE && strcmp(line.text, "walk") == 0);
    CHECK(type("wa\x03") == LINE_CANCELLED);
    CHECK(type("walk") == LINE_EDITING);
}

/* Esc alone changes nothing: the next key counts. A key of a terminal that we do not know is
 * swallowed whole. */
TEST(escapes)
{
    CHECK(gives("wal\x1bk", "walk", 4));
    CHECK(type("walk\x1b\r") == LINE_DONE && strcmp(line.text, "walk") == 0);
    CHECK(type("walk\x1b\x03") == LINE_CANCELLED);
    CHECK(type("walk\x1b[\x03") == LINE_CANCELLED);
    CHECK(type("walk\x1b[3\r") == LINE_DONE);
    CHECK(gives("wk\x1b" LEFT "al", "walk", 3));
    CHECK(gives("walk\x1b[1;5D", "walk", 4)); /* Ctrl and an arrow */
    CHECK(gives("walk" HOME "\x1b[33~", "walk", 0));
}

/* A line that is too long is not cut and run: it is refused. What is on the screen after an edit is
 * what was meant. */
TEST(a_line_that_is_too_long)
{
    begin();
    for (u32 i = 0; i < 5000; i++)
        press("a");
    CHECK(line.length == line.most && bells == 5000 - line.most);
    CHECK(line_key(&line, &history, '\n') == LINE_CANCELLED);
    CHECK(strstr(console_text(), "a line has 70 characters at most"));
    begin();
    for (u32 i = 0; i <= line.most; i++)
        press("a");
    press(BACK);
    CHECK(press("\r") == LINE_DONE && strlen(line.text) == line.most - 1);
}

TEST(recalling)
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
    CHECK(gives(UP BACK "x", "twx", 3));
    for (u32 i = 0; i < 2 * HISTORY_LINES; i++) {
        char text[8];

        ksnprintf(text, sizeof text, "%u", i);
        history_add(&history, text);
    }
    begin();
    for (u32 i = 0; i < 2 * HISTORY_LINES; i++)
        press(UP);
    CHECK(line.length == 2 && line.text[0] == '1' && line.text[1] == '6'); /* the oldest kept */
}

/* Whatever is typed, the terminal shows the line. */
TEST(anything)
{
    static const char *const keys[] = {"a",    "bc",   "\b", UP,     DOWN,   LEFT,
                                       RIGHT,  HOME,   END,  CUT,    CTRL_A, CTRL_E,
                                       CTRL_K, CTRL_U, " ",  "\x1b", "pq",   "r"};
    u32 longest = 0;

    begin();
    for (u32 i = 0; i < 20000; i++) {
        u32 key = pseudo_random() % ARRAY_SIZE(keys);

        if ((key >= 10 && key <= 13) && pseudo_random() % 8) /* else no line would grow long */
            continue;
        press(keys[key]);
        longest = MAX(longest, line.length);
        if (i % 500 == 0)
            history_add(&history, line.text);
        if (!terminal_shows_the_line()) {
            CHECK(!"the terminal shows the line");
            return;
        }
    }
    CHECK(longest == line.most);
}
