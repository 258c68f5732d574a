#include "console/line.h"
#include "lib/printf.h"
#include "lib/string.h"

#define CTRL(letter) ((letter)&31)
#define ESCAPE       27
#define DELETE       127

void line_begin(struct line *line, const char *prompt)
{
    *line = (struct line){.most = LINE_SIZE - 1 - (u32)strlen(prompt)};
    kprintf("%s", prompt);
}

void history_add(struct history *h, const char *text)
{
    if (!*text || (h->count && strcmp(h->lines[(h->count - 1) % HISTORY_LINES], text) == 0))
        return;
    ksnprintf(h->lines[h->count % HISTORY_LINES], LINE_SIZE, "%s", text);
    h->count++;
}

static void step_left(u32 columns)
{
    while (columns--)
        kprintf("\b");
}

/* Prints the text from `from` on, where the terminal's cursor is, and goes back to ours. */
static void show(const struct line *line, u32 from)
{
    console_write(line->text + from, line->length - from);
    step_left(line->length - line->cursor);
}

static void move_to(struct line *line, u32 cursor)
{
    if (cursor < line->cursor)
        step_left(line->cursor - cursor);
    else
        console_write(line->text + line->cursor, cursor - line->cursor);
    line->cursor = cursor;
}

static void insert(struct line *line, char c)
{
    if (line->length == line->most) {
        line->too_long = true;
        kprintf("\a");
        return;
    }
    for (u32 i = line->length; i > line->cursor; i--)
        line->text[i] = line->text[i - 1];
    line->text[line->cursor++] = c;
    line->length++;
    show(line, line->cursor - 1);
}

/* Removes [from, to) and leaves the cursor at `from`. Who edits has seen what there was room for.
 */
static void cut(struct line *line, u32 from, u32 to)
{
    line->too_long = false;
    move_to(line, from);
    for (u32 i = to; i < line->length; i++)
        line->text[i - (to - from)] = line->text[i];
    line->length -= to - from;
    kprintf("\x1b[K");
    show(line, from);
}

static void replace(struct line *line, const char *text)
{
    cut(line, 0, line->length);
    line->length = line->cursor = MIN((u32)strlen(text), line->most);
    memcpy(line->text, text, line->length);
    console_write(line->text, line->length);
}

/* `back` lines back; 0 is the line that was being typed. */
static void recall(struct line *line, const struct history *h, u32 back)
{
    if (back > MIN(h->count, HISTORY_LINES))
        return;
    if (line->back == 0) {
        line->text[line->length] = 0;
        memcpy(line->saved, line->text, LINE_SIZE);
    }
    line->back = back;
    replace(line, back ? h->lines[(h->count - back) % HISTORY_LINES] : line->saved);
}

static void arrow(struct line *line, const struct history *h, int c)
{
    switch (c) {
    case 'A':
        recall(line, h, line->back + 1);
        break;
    case 'B':
        if (line->back)
            recall(line, h, line->back - 1);
        break;
    case 'C':
        move_to(line, MIN(line->cursor + 1, line->length));
        break;
    case 'D':
        move_to(line, line->cursor - (line->cursor > 0));
        break;
    case 'H':
        move_to(line, 0);
        break;
    case 'F':
        move_to(line, line->length);
        break;
    }
}

/* ESC [ A, or ESC [ 3 ~: other sequences are swallowed. False: the key is none of a sequence, which
 * ends here; it counts by itself. */
static bool escape_key(struct line *line, const struct history *h, int c)
{
    bool first = line->escape == 1;

    if (first && (c == '[' || c == 'O')) {
        line->escape = 2;
        line->parameters = 0;
        return true;
    }
    if (!first && c >= ' ' && c < '@') { /* parameters; `@` and what follows it are a last letter */
        line->parameters++;
        line->digit = (char)c;
        return true;
    }
    line->escape = 0;
    if (first || c < ' ')
        return false;
    if (line->parameters == 0)
        arrow(line, h, c);
    else if (c == '~' && line->parameters == 1 && line->digit == '3' && line->cursor < line->length)
        cut(line, line->cursor, line->cursor + 1);
    return true;
}

static void control_key(struct line *line, int c)
{
    switch (c) {
    case CTRL('H'):
    case DELETE:
        if (line->cursor)
            cut(line, line->cursor - 1, line->cursor);
        break;
    case CTRL('A'):
        move_to(line, 0);
        break;
    case CTRL('E'):
        move_to(line, line->length);
        break;
    case CTRL('K'):
        cut(line, line->cursor, line->length);
        break;
    case CTRL('U'):
        cut(line, 0, line->cursor);
        break;
    case ESCAPE:
        line->escape = 1;
        break;
    }
}

static enum line_event enter_key(struct line *line, struct history *h)
{
    kprintf("\n");
    if (line->too_long) {
        kprintf("a line has %u characters at most; this one has more and was not run\n",
                line->most);
        return LINE_CANCELLED;
    }
    line->text[line->length] = 0;
    history_add(h, line->text);
    return LINE_DONE;
}

/* A character of UTF-8 that is no ASCII shows as one `?`, which no command has. */
static void foreign_key(struct line *line, int c)
{
    bool continues = (c & 0xc0) == 0x80;

    if (!continues)
        insert(line, '?');
}

enum line_event line_key(struct line *line, struct history *h, int c)
{
    if (line->escape && escape_key(line, h, c))
        return LINE_EDITING;
    if (c == '\r' || c == '\n')
        return enter_key(line, h);
    if (c == CTRL('C')) {
        kprintf("^C\n");
        return LINE_CANCELLED;
    }
    if (c > DELETE)
        foreign_key(line, c);
    else if (c >= ' ' && c < DELETE)
        insert(line, (char)c);
    else
        control_key(line, c);
    return LINE_EDITING;
}
