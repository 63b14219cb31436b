#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <sys/types.h>

// Opens a pseudo-terminal in raw mode. `*terminal` is the controlling end; `*program` is the program's end. Returns -1 if
// there is none.
int open_terminal(int *terminal, int *program);

// Runs a program, `arguments` ending in NULL, on a new terminal of 100 columns and 30 rows; `*terminal` is the
// controlling end. Returns the process id, or -1. In C, because Swift does not let a program call fork.
pid_t run_in_terminal(int *terminal, char *const arguments[]);

#endif
