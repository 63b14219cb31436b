#include "CTerminal.h"

#include <pty.h>
#include <termios.h>
#include <unistd.h>

int open_terminal(int *terminal, int *program) {
    struct termios settings;
    if (openpty(terminal, program, 0, 0, 0)) return -1;
    tcgetattr(*program, &settings);
    settings.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
    return tcsetattr(*program, TCSANOW, &settings);
}

pid_t run_in_terminal(int *terminal, char *const arguments[]) {
    struct winsize size = {.ws_row = 30, .ws_col = 100};
    pid_t child = forkpty(terminal, 0, 0, &size);
    if (child == 0) {
        execvp(arguments[0], arguments);
        _exit(127);
    }
    return child;
}
