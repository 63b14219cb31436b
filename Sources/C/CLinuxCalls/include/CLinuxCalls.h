#ifndef WELL_TEMPERED_CLINUX_CALLS_H
#define WELL_TEMPERED_CLINUX_CALLS_H

// Linux calls that Swift's Glibc module does not import. This header includes no other: the system's types must look
// the same in every C module, and these calls need _GNU_SOURCE, which changes them.

// Makes a descriptor that wakes a poll: a counter, non-blocking, closed on exec. Below zero: errno tells the reason.
int linux_eventfd(void);

// A descriptor to wait for, laid out as struct pollfd.
struct linux_watched {
    int descriptor;
    short events;
    short found;
};
enum linux_events { LINUX_INPUT = 1, LINUX_OUTPUT = 4 };

// Waits until a descriptor is ready or the time is over; a negative time never is. 1: a signal interrupted the wait.
int linux_wait(struct linux_watched *entries, long count, long long nanoseconds);

// Names the calling thread, with at most 15 characters.
void linux_name_thread(const char *name);

// Gives the calling thread real-time priority; threads it starts have the normal one. 0, or an errno.
int linux_realtime_priority(int priority);

// Whether a time service disciplines the system's clock: 1 and the estimated error in microseconds, 0 when none does,
// below zero when the kernel does not say.
int linux_clock_is_disciplined(long *error_microseconds);

// Keeps the resident pages of this process in memory, without reading in the others. 0, or below zero with errno.
int linux_pin_memory(void);

// Gives each block of so many bytes or more back to the system when it is freed.
void linux_return_blocks(int bytes);

// Hides what C libraries print on stderr in the calling thread until it calls linux_show_errors_of_c: libmpg123 tells the
// terminal of each byte that it cannot read. What other threads print, and what is written to descriptor 2, is not touched.
void linux_hide_errors_of_c(void);
void linux_show_errors_of_c(void);

// Makes a pipe whose ends are closed on exec. 0, or below zero with errno.
int linux_pipe(int ends[2]);

// Starts a program in a process group of its own. It gets three descriptors as its standard input, output and errors, and no
// other of this process; no signal is blocked or ignored. 0 and its number, or an errno.
int linux_start(
    const char *program, char *const arguments[], char *const environment[], const int descriptors[3], int *process);

#endif
