#ifndef WELL_TEMPERED_CALSA_H
#define WELL_TEMPERED_CALSA_H

#include <alsa/asoundlib.h>

// alsa-lib prints ten lines on stderr for one failed open; a handler is variadic, which Swift cannot write.
static void calsa_quiet(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file; (void)line; (void)function; (void)error; (void)format;
}
static inline int calsa_silence_errors(void) { return snd_lib_error_set_handler(calsa_quiet); }

#endif
