/* Sources: console/input.c
 *
 * What was typed while something else ran: the queue, Ctrl-C in front of it, in it and behind it.
 */
#include "check.h"
#include "console/input.h"
#include "drivers/timer.h"
#include "drivers/uart.h"

#define ROOM 1024u /* of the queue */

static const char *port; /* characters that the serial port has */
static u32 port_times;   /* so often */
static bool listening;
static u64 now;

int uart_getc(void)
{
    static const char *next;

    if (!port_times)
        return -1;
    if (!next)
        next = port;
    int c = (u8)*next++;

    if (!*next) {
        next = NULL;
        port_times--;
    }
    return c;
}

void uart_listen(bool on)
{
    listening = on;
}

u64 timer_now(void)
{
    return now += 100;
}

static void paste(const char *text, u32 times)
{
    port = text;
    port_times = times;
}

static u32 waiting(void)
{
    u32 count = 0;

    while (input_getc() >= 0)
        count++;
    return count;
}

TEST(typed_ahead)
{
    paste("walk \xe4\n", 1);
    CHECK(!input_stop() && input_getc() == 'w' && input_getc() == 'a');
    paste("ps\n", 1);
    CHECK(!input_interrupt() && input_getc() == 'l' && input_getc() == 'k');
    CHECK(input_getc() == ' ' && input_getc() == 0xe4 && waiting() == 4 && input_dropped() == 0);
}

TEST(stopped)
{
    paste("walk\n", 1);
    CHECK(!input_stop());
    paste("ps\n\003exit\n", 1);
    CHECK(input_interrupt());
    CHECK(input_getc() == 'e' && waiting() == 4);
}

/* Nothing of the port stays where nobody reads it, least of all a Ctrl-C. */
TEST(stopped_behind_a_full_queue)
{
    paste("0123456789abcde\n", ROOM / 16 + 20);
    CHECK(!input_interrupt() && port_times == 0);
    paste("x", 100);
    CHECK(!input_interrupt() && port_times == 0);
    paste("\003ps\n", 1);
    CHECK(input_interrupt());
    CHECK(input_dropped() == 0 && input_getc() == 'p' && waiting() == 2);
}

/* What has no room is counted. No part of a line stays. */
TEST(lines_stay_whole)
{
    paste("0123456789\n", 200);
    CHECK(!input_interrupt());
    paste("z\n", 1); /* it would have room, but not in its place */
    CHECK(!input_interrupt());
    u32 kept = ROOM / 11 * 11;

    CHECK(input_dropped() == 200 * 11 + 2 - kept && input_dropped() == 0);
    for (u32 i = 0; i < kept; i++)
        CHECK(input_getc() == "0123456789\n"[i % 11]);
    CHECK(waiting() == 0);
    paste("z", ROOM + 1); /* one line without an end */
    CHECK(!input_interrupt() && waiting() == 0 && input_dropped() == ROOM + 1);
}

/* Each character interrupts while something runs, also when the queue is full. */
TEST(watching)
{
    paste("ps\n", 500);
    CHECK(input_watch() && listening && port_times == 0);
    paste("ps\n", 1);
    CHECK(!input_interrupt() && listening);
    input_unwatch();
    CHECK(!listening && waiting() == ROOM / 3 * 3 && input_dropped() == 501 * 3 - ROOM / 3 * 3);
    paste("ps\n\003", 1);
    CHECK(!input_watch() && !listening);
}
