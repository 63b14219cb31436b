#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <sys/types.h>

// Opens a terminal that passes keys on as they come: `*terminal` is the end of whoever presses them, `*program` that of
// whoever reads them. Returns -1 if there is none.
int open_terminal(int *terminal, int *program);

// Runs a program, `arguments` ending in NULL, on a new terminal of 100 columns and 30 rows; `*terminal` is the other
// end. Returns its id, or -1. In C, because a program in Swift may not call fork.
pid_t run_in_terminal(int *terminal, char *const arguments[]);

#endif
