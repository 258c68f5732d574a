/* A line that a person edits: cursor keys, Ctrl-A, E, K, U, and a history. Knows no serial port:
 * characters come in by line_key, and what a terminal shall show goes out by console_write. */
#ifndef CONSOLE_LINE_H
#define CONSOLE_LINE_H

#include "types.h"

/* Prompt, line and cursor stay in one row of a terminal of so many columns: a backspace does not go
 * back over its margin. */
#define LINE_SIZE     80u
#define HISTORY_LINES 16u /* power of two */

struct line {
    char text[LINE_SIZE];
    u32 most; /* characters that have room beside the prompt */
    u32 length, cursor;
    bool too_long;  /* there were more; such a line is not run */
    u32 escape;     /* characters of an escape sequence that were read: 0, ESC, ESC [ */
    u32 parameters; /* characters between ESC [ and the last one, and the last of them */
    char digit;
    u32 back;              /* how many lines back in the history we are */
    char saved[LINE_SIZE]; /* what was being typed before the history was looked at */
};

struct history {
    char lines[HISTORY_LINES][LINE_SIZE];
    u32 count; /* of lines ever added */
};

/* Cancelled: by Ctrl-C, or because it is too long. */
enum line_event { LINE_EDITING, LINE_DONE, LINE_CANCELLED };

void line_begin(struct line *line, const char *prompt);
enum line_event line_key(struct line *line, struct history *history, int c); /* c: 0 to 255 */

/* Adds a line; empty ones and repetitions are left out. */
void history_add(struct history *history, const char *text);

#endif
