#include "console/input.h"
#include "drivers/timer.h"
#include "drivers/uart.h"
#include "image.h"

#define QUEUE_SIZE 1024u /* power of two */

/* Longer than the longest pause inside a line that is being sent: two characters at 115200 baud
 * and 25 MHz. */
#define QUIET_CYCLES 5000u

/* What was typed after a Ctrl-C is not lost with it. */
static u8 queue[QUEUE_SIZE] KEPT;
static u32 head KEPT, tail KEPT; /* of all characters taken out, and put in */
static u32 dropped KEPT;         /* for lack of room, since input_dropped() was asked */

/* A line of which a part has no room goes whole: nobody meant what would be left of it. */
static void drop_last_line(void)
{
    for (; tail != head && queue[(tail - 1) % QUEUE_SIZE] != '\n'; tail--)
        dropped++;
}

/* One character from the serial port. True: it was Ctrl-C, and the queue is empty now. */
static bool take(int c)
{
    if (c == KEY_STOP) {
        head = tail;
        dropped = 0;
        return true;
    }
    if (!dropped && tail - head == QUEUE_SIZE)
        drop_last_line();
    if (dropped || tail - head == QUEUE_SIZE)
        dropped++;
    else
        queue[tail++ % QUEUE_SIZE] = (u8)c;
    return false;
}

int input_getc(void)
{
    return head != tail ? queue[head++ % QUEUE_SIZE] : uart_getc();
}

u32 input_dropped(void)
{
    u32 count = dropped;

    dropped = 0;
    return count;
}

/* Goes on when the queue is full: a Ctrl-C may stand behind. */
bool input_stop(void)
{
    bool stop = false;
    int c;

    while ((c = uart_getc()) >= 0)
        stop |= take(c);
    return stop;
}

bool input_watch(void)
{
    u64 start = timer_now();
    u32 before;

    do {
        before = tail + dropped;
        if (input_stop())
            return false;
        if (tail + dropped != before)
            start = timer_now();
    } while (timer_now() - start < QUIET_CYCLES);
    uart_listen(true);
    return true;
}

void input_unwatch(void)
{
    uart_listen(false);
}

bool input_interrupt(void)
{
    return input_stop();
}
