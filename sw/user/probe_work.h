/* For C and assembly: how much other work a read of the measured loop may have beside it. */
#ifndef USER_PROBE_WORK_H
#define USER_PROBE_WORK_H

#define PROBE_MOST_WORK 64

#endif
