// A student's functions on this computer: cases.h has what is asked as ASK(EXPRESSION), and each
// is answered by a line `answer N`.
#include "cases.h"

#include <inttypes.h>
#include <stdio.h>

#define ASK(expression)                                     \
    printf("answer %" PRIx64 "\n", (uint64_t)(expression)); \
    fflush(stdout);

int main(void)
{
    ASKED
    return 0;
}
