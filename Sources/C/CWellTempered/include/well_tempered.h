#ifndef WELL_TEMPERED_H
#define WELL_TEMPERED_H

// WellTempered for C and whatever calls C: a tuner's ear and a metronome, as shared library `welltempered`.
//
//     cc app.c $(pkg-config --cflags --libs welltempered)
//
// Threads: one handle belongs to one thread at a time; different handles have nothing to do with each other.
// Real time: functions marked REAL TIME neither allocate, lock, wait nor call the system, and the Swift compiler has
// checked that; call them from an audio callback. `create` and `destroy` allocate and free: call them elsewhere.
// A null handle is allowed everywhere and does nothing.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Why a `create` returned NULL.
typedef struct wt_error {
    int32_t status;    // for exit(): 2 a value makes no sense, 75 out of memory; 0 no error
    char message[256]; // what is wrong and what to do next, UTF-8, ends with a zero
} wt_error;

// ---- Tuner ----

typedef struct wt_tuner wt_tuner;

typedef enum wt_state {
    WT_SILENCE = 0,  // nothing worth measuring
    WT_ATTACK = 1,   // a sound has begun, its pitch is not certain yet
    WT_VOICED = 2,   // there is a pitch
    WT_UNVOICED = 3, // sound, but no pitch
} wt_state;

typedef struct wt_reading {
    int64_t frame;         // the sample after the last one used, counted from the first ever processed
    int32_t state;         // a wt_state
    int32_t window;        // how many of the newest samples the frequency rests on
    double frequency;      // Hz, of the first partial; 0 unless voiced
    double periodicity;    // Hz, repetition rate of the waveform: above `frequency` on a stiff string; 0 unless voiced
    double clarity;        // 0 noise ... 1 perfectly periodic
    double level;          // dB of full scale
    double standard_error; // cents; 0 when unknown
    double inharmonicity;  // B of a stiff string: partial k at k f0 sqrt(1 + B k^2); 0 when unknown
} wt_reading;

// A tuner for mono samples at `sample_rate` Hz, 8,000 to 192,000. NULL on error, with the reason in `error` unless that
// is NULL.
wt_tuner *wt_tuner_create(double sample_rate, wt_error *error);
void wt_tuner_destroy(wt_tuner *tuner);
// REAL TIME. Takes in `count` samples, full scale +-1. The readings do not depend on how a stream is cut into calls.
void wt_tuner_process(wt_tuner *tuner, const float *samples, size_t count);
// REAL TIME. Moves the oldest waiting reading into `reading`; false if there is none. At most 1,024 wait.
bool wt_tuner_next(wt_tuner *tuner, wt_reading *reading);
// REAL TIME. How many samples lie between two readings.
int32_t wt_tuner_hop(wt_tuner *tuner);
// REAL TIME. How many readings were lost because nobody took them in time.
int64_t wt_tuner_dropped(wt_tuner *tuner);
// REAL TIME. Starts again as if no sample had come yet.
void wt_tuner_reset(wt_tuner *tuner);

// REAL TIME. The note nearest to `frequency` in equal temperament, as a MIDI number (A4 = 69 = `a4` Hz), and how many
// cents `frequency` lies above it. False, and nothing written, if either frequency is not positive and finite.
bool wt_nearest_note(double frequency, double a4, int32_t *midi, double *cents);

// ---- Metronome ----

typedef struct wt_metronome wt_metronome;

typedef struct wt_beat {
    int64_t frame;        // where it lies, counted from the first frame ever rendered; exact for ever
    int64_t bar;          // from 1
    int32_t beat;         // within the bar, from 1
    int32_t beats_in_bar;
    int32_t level;        // 0 silent, 1 normal, 2 medium, 3 accented
    int32_t part;         // 0 the beat itself, else which part of its subdivision
} wt_beat;

// A metronome for a stream of `sample_rate` frames per second. `tempo` in beats per minute is read exactly: "120",
// "97.3", "100/3". `accents` is a count ("4"), groups ("3+2+2") or a pattern ("X.x."); NULL is "4". NULL on error.
wt_metronome *wt_metronome_create(int32_t sample_rate, const char *tempo, const char *accents, wt_error *error);
void wt_metronome_destroy(wt_metronome *metronome);
// REAL TIME. Overwrites `count` mono frames, full scale +-1, with what follows. Block sizes make no difference, to the
// bit.
void wt_metronome_render(wt_metronome *metronome, float *frames, size_t count);
// REAL TIME. Moves the oldest beat that was rendered and not taken yet into `beat`; false if there is none. At most
// 1,024 wait; further ones are not kept.
bool wt_metronome_next_beat(wt_metronome *metronome, wt_beat *beat);
// REAL TIME. How many frames have been rendered.
int64_t wt_metronome_position(wt_metronome *metronome);

#ifdef __cplusplus
}
#endif
#endif
