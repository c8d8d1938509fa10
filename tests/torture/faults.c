/* Faults at the border to the operating system, for a process that is started with LD_PRELOAD.
 *
 * FAULT_BELOW   a folder: calls that change what is in it are counted
 * FAULT_AT      the number of the call that fails, and
 * FAULT_ERRNO   how; FAULT_FOR says how many calls fail from there on
 * FAULT_CLOCK   a file with a number of seconds in it, as text: the wall clock is off by them
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *below, *clock_file;
static long fail_at, fail_for, fail_errno, count;
static int inside; /* not a fault of the fault layer itself */

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    below = getenv("FAULT_BELOW");
    clock_file = getenv("FAULT_CLOCK");
    fail_at = number("FAULT_AT", 0);
    fail_for = number("FAULT_FOR", 1);
    fail_errno = number("FAULT_ERRNO", EIO);
}

static int is_below(const char *path) {
    char whole[PATH_MAX];
    if (!below || !path) return 0;
    if (path[0] != '/') {
        if (!getcwd(whole, sizeof whole)) return 0;
        size_t used = strlen(whole);
        snprintf(whole + used, sizeof whole - used, "/%s", path);
        path = whole;
    }
    return strncmp(path, below, strlen(below)) == 0;
}

static int is_fd_below(int fd) {
    char name[64], path[PATH_MAX];
    if (!below || fd < 0) return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlink, name, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* Whether this call is the one to fail. */
static int fails(int matters) {
    if (!matters || !fail_at || inside) return 0;
    long now = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (now < fail_at || now >= fail_at + fail_for) return 0;
    errno = (int)fail_errno;
    return 1;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    return fails(is_fd_below(fd)) ? -1 : real(fd, data, size);
}
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails(is_fd_below(fd)) ? -1 : real(fd, data, size, at);
}
int fsync(int fd) {
    REAL(fsync);
    return fails(is_fd_below(fd)) ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(fdatasync);
    return fails(is_fd_below(fd)) ? -1 : real(fd);
}
int rename(const char *from, const char *to) {
    REAL(rename);
    return fails(is_below(to)) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    REAL(renameat2);
    return fails(is_below(to)) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to) {
    REAL(link);
    return fails(is_below(to)) ? -1 : real(from, to);
}
int unlink(const char *path) {
    REAL(unlink);
    return fails(is_below(path)) ? -1 : real(path);
}
int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return fails(is_below(path)) ? -1 : real(path, mode);
}
int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return fails((flags & O_CREAT) && is_below(path)) ? -1 : real(path, flags, mode);
}

static double offset(void) {
    char text[64];
    if (!clock_file) return 0;
    inside = 1;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, clock_file, O_RDONLY);
    ssize_t length = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);
    if (fd >= 0) syscall(SYS_close, fd);
    inside = 0;
    if (length <= 0) return 0;
    text[length] = 0;
    return atof(text);
}

int clock_gettime(clockid_t id, struct timespec *now) {
    REAL(clock_gettime);
    int done = real(id, now);
    if (!done && id == CLOCK_REALTIME) now->tv_sec += (time_t)offset();
    return done;
}
