// Every function of well_tempered.h, called with valid and invalid arguments; run under valgrind and AddressSanitizer by c-library.sh.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <well_tempered.h>

static int checks;

static void check(int holds, const char *what) {
    checks++;
    if (!holds) {
        fprintf(stderr, "functions: not so: %s\n", what);
        exit(1);
    }
}

static void tuner(void) {
    wt_error error;
    memset(&error, 0xff, sizeof error);
    wt_tuner *tuner = wt_tuner_create(48000, &error);
    check(tuner && error.status == WT_OK && error.message[0] == 0, "a tuner is made and the error is cleared");
    check(wt_tuner_hop(tuner) == 256, "a hop of 256");
    // One exact allocation per block: reading one sample too many would be seen.
    long sample = 0;
    for (int block = 1; sample < 48000; block = block * 7 % 1201) {
        float *samples = malloc((size_t)block * sizeof *samples);
        for (int n = 0; n < block; n++, sample++) samples[n] = 0.3f * (float)sin(2 * M_PI * 196.0 * sample / 48000);
        wt_tuner_process(tuner, samples, (size_t)block);
        free(samples);
    }
    wt_reading reading;
    memset(&reading, 0, sizeof reading);
    int count = 0;
    while (wt_tuner_next(tuner, &reading)) count++;
    check(count == sample / 256, "one reading per hop");
    check(reading.state == WT_VOICED && fabs(reading.frequency - 196) < 0.01, "196 Hz");
    check(fabs(reading.level + 13.5) < 0.5 && reading.clarity > 0.9 && reading.window > 0, "level and clarity");
    int32_t midi = 0;
    double cents = 99;
    check(wt_nearest_note(reading.frequency, 440, &midi, &cents) && midi == 55 && fabs(cents) < 0.1, "it is a G3");
    check(wt_nearest_note(440, 440, NULL, NULL), "a note without a place for it");
    check(!wt_nearest_note(NAN, 440, &midi, &cents) && !wt_nearest_note(440, 0, &midi, &cents), "no note");
    check(!wt_nearest_note(INFINITY, 440, &midi, &cents) && !wt_nearest_note(-1, 440, &midi, &cents), "no note");

    static float silence[256 * 1100];
    wt_tuner_process(tuner, silence, 256 * 1100);
    check(wt_tuner_dropped(tuner) > 0, "what nobody takes is dropped and counted");
    wt_tuner_reset(tuner);
    check(!wt_tuner_next(tuner, &reading), "nothing waits after a reset");
    wt_tuner_process(tuner, NULL, 12);
    wt_tuner_process(tuner, silence, 0);
    wt_tuner_process(tuner, silence, (size_t)-1);
    check(!wt_tuner_next(tuner, NULL), "no place for a reading");
    wt_tuner_destroy(tuner);

    double rates[] = {0, -1, 7999, 192001, NAN, INFINITY, -INFINITY};
    for (size_t n = 0; n < sizeof rates / sizeof *rates; n++) {
        check(!wt_tuner_create(rates[n], &error) && error.status == WT_INVALID_ARGUMENT && strlen(error.message) > 20, "a wrong rate");
        check(!wt_tuner_create(rates[n], NULL), "a wrong rate and nobody to hear of it");
    }
    wt_tuner_process(NULL, silence, 10);
    wt_tuner_reset(NULL);
    wt_tuner_destroy(NULL);
    check(!wt_tuner_next(NULL, &reading) && wt_tuner_hop(NULL) == 0 && wt_tuner_dropped(NULL) == 0, "no tuner");
}

static void metronome(void) {
    wt_error error;
    wt_metronome *metronome = wt_metronome_create(44100, "133.7", "3+2+2", &error);
    check(metronome && error.status == WT_OK, "a metronome is made");
    float loudest = 0;
    wt_beat beat;
    long beats = 0;
    int64_t rendered = 0;
    for (int block = 1; rendered < 441000; block = block * 7 % 1201) {
        float *frames = malloc((size_t)block * sizeof *frames);
        wt_metronome_render(metronome, frames, (size_t)block);
        rendered += block;
        check(wt_metronome_position(metronome) == rendered, "the position");
        for (int n = 0; n < block; n++) loudest = fmaxf(loudest, fabsf(frames[n]));
        free(frames);
        while (wt_metronome_next_beat(metronome, &beat)) {
            // Beat k at k 60 rate / bpm, to the nearest frame.
            check(beat.frame == (2 * beats * 600 * 44100 + 1337) / (2 * 1337), "the exact frame");
            check(beat.beat == beats % 7 + 1 && beat.bar == beats / 7 + 1 && beat.beats_in_bar == 7, "bar and beat");
            check(beat.part == 0 && (beat.level == 3) == (beat.beat == 1), "the accent");
            check((beat.level == 2) == (beat.beat == 4 || beat.beat == 6), "the inner groups");
            beats++;
        }
    }
    check(beats == (rendered * 1337 / 600 + 44099) / 44100 && loudest > 0.3f && loudest <= 1, "ten seconds of clicks");
    wt_metronome_render(metronome, NULL, 10);
    wt_metronome_render(metronome, &loudest, 0);
    check(!wt_metronome_next_beat(metronome, NULL), "no place for a beat");
    wt_metronome_destroy(metronome);

    metronome = wt_metronome_create(48000, "100/3", NULL, NULL);
    check(metronome != NULL, "a fraction, and the common bar");
    wt_metronome_destroy(metronome);
    static char endless[5000];
    memset(endless, '9', sizeof endless - 1);
    const char *tempos[] = {"", "0", "-3", "1e9", "fast", "120;", "\xff\xfe", endless, NULL};
    for (size_t n = 0; n < sizeof tempos / sizeof *tempos; n++) {
        check(!wt_metronome_create(48000, tempos[n], "4", &error), "a wrong tempo");
        check(error.status == WT_INVALID_ARGUMENT && strlen(error.message) > 20 && strlen(error.message) < 256, "and why");
    }
    check(!wt_metronome_create(48000, "120", "4+", &error) && error.status == WT_INVALID_ARGUMENT, "a wrong pattern");
    check(!wt_metronome_create(0, "120", "4", &error) && error.status == WT_INVALID_ARGUMENT, "a wrong rate");
    check(!wt_metronome_create(-44100, "120", "4", NULL), "a wrong rate and nobody to hear of it");
    wt_metronome_render(NULL, &loudest, 1);
    wt_metronome_destroy(NULL);
    check(!wt_metronome_next_beat(NULL, &beat) && wt_metronome_position(NULL) == 0, "no metronome");
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "fault")) {
        // What the checkers must see, or their silence means nothing: one handle destroyed twice.
        wt_metronome *metronome = wt_metronome_create(48000, "120", NULL, NULL);
        wt_metronome_destroy(metronome);
        wt_metronome_destroy(metronome);
        return 0;
    }
    tuner();
    metronome();
    printf("functions: %d checks hold\n", checks);
    return 0;
}
