/* System calls: number in a7, arguments in a0.., result in a0 (negative: -errno). */
#ifndef KERNEL_SYSCALLS_H
#define KERNEL_SYSCALLS_H

#define SYS_EXIT     0  /* (code) */
#define SYS_WRITE    1  /* (text, length): to the console */
#define SYS_FORK     2  /* (): 0 in the child, its pid in the parent */
#define SYS_WAIT     3  /* (): pid of a child that has exited; -ECHILD without children */
#define SYS_MMAP     4  /* (address, length, VM_* flags) */
#define SYS_MUNMAP   5  /* (address, length) */
#define SYS_MREMAP   6  /* (from, length, to) */
#define SYS_YIELD    7  /* () */
#define SYS_GETPID   8  /* () */
#define SYS_REPORT   9  /* (words, count): hands results to the experiment */
#define SYS_MARK     10 /* (number): the experiment looks at the counters here */
#define SYS_FLUSH    11 /* (): cleans and invalidates the data cache */
#define SYS_MPROTECT 12 /* (address, length, VM_* flags) */

#endif
