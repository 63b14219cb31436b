#ifndef WELL_TEMPERED_H
#define WELL_TEMPERED_H

// WellTempered for C and whatever calls C: a tuner's ear and a metronome, as shared library `welltempered`.
//
//     cc app.c $(pkg-config --cflags --libs welltempered)
//
// Made by `make c-header` from the functions in Sources/DSP/EmbeddingC: change those.
//
// Threads: one handle belongs to one thread at a time; different handles have nothing to do with each other.
// Real time: functions marked REAL TIME neither allocate, lock, wait nor call the system, and the Swift compiler has
// checked that; call them from an audio callback. `create` and `destroy` allocate and free: call them elsewhere.
// A null handle is allowed everywhere and does nothing.

#include "well_tempered_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A metronome for a stream of `sample_rate` frames per second, 1,000 to 16,777,216. `tempo` in beats per minute is read
// exactly: "120", "97.3", "100/3". `accents` is a count ("4"), groups ("3+2+2") or a pattern ("X.x."); NULL is "4".
// NULL on error, with the reason in `error` unless that is NULL.
wt_metronome_handle wt_metronome_create(int32_t sample_rate, char const *tempo, char const *accents, wt_error *error);

// Frees a metronome. Its handle is worth nothing after that.
void wt_metronome_destroy(wt_metronome_handle metronome);

// REAL TIME. Moves the oldest beat that was rendered and not taken yet into `beat`; false if there is none. At most
// 1,024 wait; further ones are not kept.
bool wt_metronome_next_beat(wt_metronome_handle metronome, wt_beat *beat);

// REAL TIME. How many frames have been rendered.
int64_t wt_metronome_position(wt_metronome_handle metronome);

// REAL TIME. Overwrites `count` mono frames, full scale +-1, with what follows. Block sizes make no difference, to the
// bit.
void wt_metronome_render(wt_metronome_handle metronome, float *frames, size_t count);

// REAL TIME. The note nearest to `frequency` in equal temperament, as a MIDI number (A4 = 69 = `a4` Hz), and how many
// cents `frequency` lies above it. False, and nothing written, if either frequency is not positive and finite.
bool wt_nearest_note(double frequency, double a4, int32_t *midi, double *cents);

// A tuner for mono samples at `sample_rate` Hz, 8,000 to 192,000. NULL on error, with the reason in `error` unless that
// is NULL.
wt_tuner_handle wt_tuner_create(double sample_rate, wt_error *error);

// Frees a tuner. Its handle is worth nothing after that.
void wt_tuner_destroy(wt_tuner_handle tuner);

// REAL TIME. How many readings were lost because nobody took them in time.
int64_t wt_tuner_dropped(wt_tuner_handle tuner);

// REAL TIME. How many samples lie between two readings.
int32_t wt_tuner_hop(wt_tuner_handle tuner);

// REAL TIME. Moves the oldest waiting reading into `reading`; false if there is none. At most 1,024 wait.
bool wt_tuner_next(wt_tuner_handle tuner, wt_reading *reading);

// REAL TIME. Takes in `count` samples, full scale +-1. The readings do not depend on how a stream is cut into calls.
void wt_tuner_process(wt_tuner_handle tuner, float const *samples, size_t count);

// REAL TIME. Starts again as if no sample had come yet.
void wt_tuner_reset(wt_tuner_handle tuner);

#ifdef __cplusplus
}
#endif
#endif
