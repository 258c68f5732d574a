#include "console/input.h"
#include "drivers/uart.h"
#include "image.h"
#include "lib/csr.h"

#define QUEUE_SIZE 1024u /* power of two */

/* Longer than the longest pause inside a line that is being sent: two characters at 115200 baud
 * and 25 MHz. */
#define QUIET_CYCLES 5000u

/* What was typed after a Ctrl-C is not lost with it. */
static char queue[QUEUE_SIZE] KEPT;
static u32 head KEPT, tail KEPT; /* of all characters taken out, and put in */

/* One character from the serial port. True: it was Ctrl-C, and the queue is empty now. */
static bool take(int c)
{
    if (c == KEY_STOP) {
        head = tail;
        return true;
    }
    if (tail - head < QUEUE_SIZE)
        queue[tail++ % QUEUE_SIZE] = (char)c;
    return false;
}

int input_getc(void)
{
    return head != tail ? queue[head++ % QUEUE_SIZE] : uart_getc();
}

bool input_stop(void)
{
    bool stop = false;
    int c;

    while (tail - head < QUEUE_SIZE && (c = uart_getc()) >= 0)
        stop |= take(c);
    return stop;
}

bool input_watch(void)
{
    u32 start = csr_read(CSR_CYCLE), before;

    do {
        before = tail;
        if (input_stop())
            return false;
        if (tail != before)
            start = csr_read(CSR_CYCLE);
    } while (csr_read(CSR_CYCLE) - start < QUIET_CYCLES);
    uart_listen(tail - head < QUEUE_SIZE); /* a full queue leaves the rest to the port's own */
    return true;
}

void input_unwatch(void)
{
    uart_listen(false);
}

bool input_interrupt(void)
{
    bool stop = input_stop();

    if (tail - head == QUEUE_SIZE)
        uart_listen(false);
    return stop;
}
