#define _GNU_SOURCE
#include "CLinuxCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

// glibc takes the first large block that is freed for the usual, and keeps the next ones.
void linux_return_blocks(int bytes) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}

int linux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

_Static_assert(sizeof(struct linux_watched) == sizeof(struct pollfd), "laid out as struct pollfd");
_Static_assert(LINUX_INPUT == POLLIN && LINUX_OUTPUT == POLLOUT, "the events of poll");

int linux_wait(struct linux_watched *entries, long count, long long nanoseconds) {
    struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    // After an error no entry counts as ready.
    for (long i = 0; i < count; i++) entries[i].found = 0;
    return ppoll((struct pollfd *)entries, (nfds_t)count, nanoseconds < 0 ? 0 : &time, 0) < 0 && errno == EINTR;
}

void linux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int linux_realtime_priority(int priority) {
    struct sched_param parameter = {.sched_priority = priority};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
}

int linux_clock_is_disciplined(long *error_microseconds) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    *error_microseconds = state.esterror;
    return (state.status & STA_UNSYNC) ? 0 : 1;
}

int linux_pin_memory(void) { return mlockall(MCL_CURRENT | MCL_ONFAULT); }

// While any thread hides its errors, stderr is a stream that drops what those threads print and passes on the rest.
// Redirecting stderr to /dev/null instead would silence every thread, and for good where two redirections overlap: the
// second would save /dev/null as the stream to restore.
static pthread_mutex_t hiding = PTHREAD_MUTEX_INITIALIZER;
static int hiding_threads;
static FILE *filter, *shown;
static __thread int hides;

static ssize_t print_unless_hidden(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    return hides ? (ssize_t)count : (ssize_t)fwrite(bytes, 1, count, shown);
}

void linux_hide_errors_of_c(void) {
    hides = 1;
    pthread_mutex_lock(&hiding);
    if (!filter) {
        filter = fopencookie(0, "w", (cookie_io_functions_t){.write = print_unless_hidden});
        // Unbuffered: what a thread prints passes the filter in that thread.
        if (filter) setvbuf(filter, 0, _IONBF, 0);
    }
    if (hiding_threads++ == 0 && filter) {
        shown = stderr;
        stderr = filter;
    }
    pthread_mutex_unlock(&hiding);
}

void linux_show_errors_of_c(void) {
    pthread_mutex_lock(&hiding);
    if (--hiding_threads == 0 && stderr == filter) stderr = shown;
    pthread_mutex_unlock(&hiding);
    hides = 0;
}

// Replaces mktemp in commands that are linked with --wrap=mktemp: Foundation's static library calls it, and the linker
// warns of it. Makes a name that no file has. Foundation then creates the file with O_EXCL.
char *__wrap_mktemp(char *name);
char *__wrap_mktemp(char *name) {
    int file = mkstemp(name);
    if (file < 0) {
        name[0] = 0;
    } else {
        close(file);
        unlink(name);
    }
    return name;
}

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int linux_start(
    const char *program, char *const arguments[], char *const environment[], const int descriptors[3], int *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    for (int i = 0; i < 3 && !error; i++) error = posix_spawn_file_actions_adddup2(&actions, descriptors[i], i);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    if (!error) error = posix_spawn(&child, program, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    *process = child;
    return error;
}
