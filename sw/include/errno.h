/* Error codes by their POSIX names and Linux numbers; functions return them negated. */
#ifndef ERRNO_H
#define ERRNO_H

#define EIO    5
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY  16
#define EEXIST 17
#define EINVAL 22
#define ENOSPC 28
#define ENOSYS 38
#define ECHILD 10

#endif
