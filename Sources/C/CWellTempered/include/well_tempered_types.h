#ifndef WELL_TEMPERED_TYPES_H
#define WELL_TEMPERED_TYPES_H

// The types of well_tempered.h. Written by hand, because C decides the layout of a struct.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wt_status {
    WT_OK = 0,
    WT_INVALID_ARGUMENT = 1,
    WT_OUT_OF_MEMORY = 2,
} wt_status;

// Why a `create` returned NULL.
typedef struct wt_error {
    int32_t status;    // a wt_status
    char message[256]; // what is wrong and what to do next, UTF-8, null-terminated
} wt_error;

// ---- Tuner ----

// Opaque.
typedef struct wt_tuner wt_tuner;
typedef wt_tuner *wt_tuner_handle;

typedef enum wt_state {
    WT_SILENCE = 0,  // too quiet to measure
    WT_ATTACK = 1,   // a sound has begun; its pitch is not known yet
    WT_VOICED = 2,   // a sound with a pitch
    WT_UNVOICED = 3, // a sound without a pitch
} wt_state;

typedef struct wt_reading {
    int64_t frame;         // the sample after the last one used, counted from the first one processed
    int32_t state;         // a wt_state
    int32_t window;        // how many of the newest samples were used
    double frequency;      // Hz, of the first partial; 0 unless voiced
    double periodicity;    // Hz, repetition rate of the waveform, above `frequency` for a stiff string; 0 unless voiced
    double clarity;        // 0 noise ... 1 perfectly periodic
    double level;          // dB of full scale
    double standard_error; // cents; 0 if unknown
    double inharmonicity;  // B of a stiff string, partial k at k f0 sqrt(1 + B k^2); 0 if unknown
} wt_reading;

// ---- Metronome ----

typedef struct wt_metronome wt_metronome;
typedef wt_metronome *wt_metronome_handle;

typedef struct wt_beat {
    int64_t frame;        // the nearest frame, counted from the first frame rendered
    int64_t bar;          // from 1
    int32_t beat;         // within the bar, from 1
    int32_t beats_in_bar;
    int32_t level;        // 0 silent, 1 an ordinary beat, more for beats that stand out more
    int32_t part;         // 0 for the beat itself, otherwise the part of its subdivision
} wt_beat;

#endif
