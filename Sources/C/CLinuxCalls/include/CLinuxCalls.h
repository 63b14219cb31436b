#ifndef WELL_TEMPERED_CLINUX_CALLS_H
#define WELL_TEMPERED_CLINUX_CALLS_H

// Linux calls that Swift's Glibc module does not import. This header includes nothing: the system's types must look
// the same in every C module, and what is called here needs _GNU_SOURCE, which changes them.

// A descriptor to wake a poll with: a counter, non-blocking, closed on exec. Below zero: errno says why.
int linux_eventfd(void);

// Names the calling thread, with at most 15 characters.
void linux_name_thread(const char *name);

// Real-time priority for the calling thread; threads it starts fall back to the normal one. 0, or an errno.
int linux_realtime_priority(int priority);

// What disciplines the system's clock: 1 and the estimated error in microseconds when a time service holds it, 0 when
// nobody does, below zero when the kernel does not say.
int linux_clock_is_disciplined(long *error_microseconds);

// Keeps what this process has in memory from being paged out again, without reading in what it has not. 0, or below
// zero with errno.
int linux_pin_memory(void);

// Hides what C libraries print on stderr in the calling thread until it calls linux_show_errors_of_c: libmpg123 tells the
// terminal of each byte that it cannot read. What other threads print, and what is written to descriptor 2, is not touched.
void linux_hide_errors_of_c(void);
void linux_show_errors_of_c(void);

#endif
