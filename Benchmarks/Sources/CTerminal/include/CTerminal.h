#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <sys/types.h>

// Runs a program, `arguments` ending in NULL, on a new terminal of 100 columns and 30 rows; `*terminal` is the other
// end. Returns its id, or -1. In C, because a program in Swift may not call fork.
pid_t run_in_terminal(int *terminal, char *const arguments[]);

#endif
