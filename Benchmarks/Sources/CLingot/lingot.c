#include "CLingot.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Structures of lingot 1.1 as its headers lay them out; of the configuration the part before its scale of notes.
typedef struct {
    int audio_system_index;
    char audio_dev[10][512];
    int sample_rate;
    unsigned int oversampling;
    double root_frequency_error, min_frequency, max_frequency;
    int optimize_internal_parameters;
    double internal_min_frequency, internal_max_frequency;
    unsigned int fft_size;
    double calculation_rate, temporal_window;
    unsigned int temporal_buffer_size;
    double min_overall_SNR, min_SNR;
    int window_type;
    unsigned int peak_number, peak_half_width, max_nr_iter;
    double gauge_range, gauge_rest_value;
    double scale[64];
} config;

typedef void process(double *samples, unsigned int count, void *core);

typedef struct {
    int audio_system;
    char device[256];
    process *process_callback;
    void *process_callback_arg;
    void *audio_handler_extra;
    unsigned int read_buffer_size_samples;
    double *flt_read_buffer;
    unsigned int real_sample_rate;
    short bytes_per_sample;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_cond_t condition;
    pthread_mutex_t mutex;
    int running, interrupted;
} handler;

typedef struct {
    void *core_private;
} core;

struct lingot_ear {
    core core;
    config config;
    handler *audio;
    int block;
    double *samples;
};

static struct {
    int (*register_system)(const char *, void (*)(handler *, const char *, int), void (*)(handler *),
        int (*)(handler *), void (*)(handler *), void (*)(handler *), int (*)(handler *), int (*)(void *));
    int (*find_system)(const char *);
    void (*config_new)(config *), (*config_default)(config *), (*config_update)(config *), (*config_destroy)(config *);
    void (*core_new)(core *, config *), (*core_compute)(core *), (*core_destroy)(core *);
    double (*core_frequency)(core *);
} lingot;

static const char name[] = "samples";
static int block_of_next;
static handler *newest;

static void open_samples(handler *audio, const char *device, int rate) {
    (void)device;
    audio->audio_system = lingot.find_system(name);
    audio->read_buffer_size_samples = (unsigned)block_of_next;
    audio->real_sample_rate = (unsigned)rate;
    audio->bytes_per_sample = 8;
    newest = audio;
}

static void nothing(handler *audio) { (void)audio; }
static int none(handler *audio) { return (void)audio, -1; }
static int no_properties(void *properties) { return (void)properties, -1; }

static int load(void) {
    static int state; // 1 there, -1 not
    if (state) return state > 0;
    state = -1;
    void *library = dlopen("liblingot.so.0", RTLD_NOW);
    if (!library) return 0;
    struct { const char *name; void *place; } all[] = {
        {"lingot_audio_system_register", &lingot.register_system},
        {"lingot_audio_system_find_by_name", &lingot.find_system},
        {"lingot_config_new", &lingot.config_new},
        {"lingot_config_restore_default_values", &lingot.config_default},
        {"lingot_config_update_internal_params", &lingot.config_update},
        {"lingot_config_destroy", &lingot.config_destroy},
        {"lingot_core_new", &lingot.core_new},
        {"lingot_core_compute_fundamental_fequency", &lingot.core_compute},
        {"lingot_core_destroy", &lingot.core_destroy},
        {"lingot_core_thread_get_result_frequency", &lingot.core_frequency},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        void *symbol = dlsym(library, all[n].name);
        if (!symbol) return 0;
        memcpy(all[n].place, &symbol, sizeof symbol);
    }
    lingot.register_system(name, open_samples, nothing, none, nothing, nothing, none, no_properties);
    if (lingot.find_system(name) < 0) return 0;
    state = 1;
    return 1;
}

lingot_ear *lingot_ear_new(int rate, int block, double lowest, double highest, int transform) {
    if (!load()) return NULL;
    lingot_ear *ear = calloc(1, sizeof *ear);
    if (!ear) return NULL;
    lingot.config_new(&ear->config);
    lingot.config_default(&ear->config);
    // Its own default values: in another place they are another version's structure.
    int is_known = ear->config.temporal_window > 0.01 && ear->config.temporal_window < 2 &&
        ear->config.calculation_rate > 1 && ear->config.calculation_rate < 200 && ear->config.max_nr_iter < 100;
    if (!is_known) {
        free(ear);
        return NULL;
    }
    ear->config.audio_system_index = lingot.find_system(name);
    ear->config.sample_rate = rate;
    ear->config.min_frequency = lowest;
    ear->config.max_frequency = highest;
    if (transform) {
        ear->config.optimize_internal_parameters = 0;
        ear->config.fft_size = (unsigned)transform;
        ear->config.oversampling = 1;
    }
    lingot.config_update(&ear->config);
    ear->block = block_of_next = block;
    newest = NULL;
    lingot.core_new(&ear->core, &ear->config);
    ear->audio = newest;
    ear->samples = calloc((size_t)block, sizeof *ear->samples);
    if (!ear->audio || !ear->samples) {
        lingot_ear_free(ear);
        return NULL;
    }
    // What it last heard it remembers beyond its life: silence makes it forget.
    for (int n = 0; n < 64; n++) {
        memset(ear->samples, 0, (size_t)block * sizeof *ear->samples);
        ear->audio->process_callback(ear->samples, (unsigned)block, ear->audio->process_callback_arg);
        lingot.core_compute(&ear->core);
    }
    return ear;
}

int lingot_ear_window(const lingot_ear *ear) {
    return (int)(ear->config.temporal_buffer_size * ear->config.oversampling);
}

double lingot_ear_hear(lingot_ear *ear, const float *samples) {
    for (int n = 0; n < ear->block; n++) ear->samples[n] = 32767.0 * samples[n];
    ear->audio->process_callback(ear->samples, (unsigned)ear->block, ear->audio->process_callback_arg);
    lingot.core_compute(&ear->core);
    return lingot.core_frequency(&ear->core);
}

void lingot_ear_free(lingot_ear *ear) {
    if (!ear) return;
    if (ear->core.core_private) lingot.core_destroy(&ear->core);
    lingot.config_destroy(&ear->config);
    free(ear->samples);
    free(ear);
}
