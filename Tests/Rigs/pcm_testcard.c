// A sound card inside the process, for tests: an alsa-lib plug-in paced by a timer instead of a crystal. What talks
// to it goes through the whole of alsa-lib, as with a real card; no server, no kernel sound.
//
//   pcm_type.testcard { lib "/path/libasound_module_pcm_testcard.so" }
//   pcm.NAME { type testcard
//     infile FILE outfile FILE   raw frames heard / played, in the negotiated format (silence / thrown away)
//     logfile FILE               gets a line for each start: index in outfile of the first frame heard, and when, in
//                                nanoseconds of CLOCK_MONOTONIC; and one when it is closed: "closed", frames, failures
//     rate N channels N format F the only ones the card has (any: 8000 to 192000, 1 to 8, five formats)
//     ppm N                      how much faster than its label it runs
//     speed N                    times real time (1)
//     latency N                  frames of delay behind the buffer
//     open_errno N               opening fails
//     fail_errno N fail_after FRAMES fail_count N    transfers fail, N times in a row
//     fail_every FRAMES          ... and again so many frames later
//     fail_mix 1                 ... each time with the next of EPIPE, ESTRPIPE, EIO, ENODEV and frames that vanish
//                                (skip_frames); the device is back when it is opened again
//     prepare_errno N start_errno N again_count N    ... and then preparing or starting it fails, N times in all
//     resume N                   0: cannot (ENOSYS), 1: at once, N: EAGAIN N-1 times first
//     stall_after FRAMES         says that it runs, and moves no more
//     skip_after FRAMES skip_frames N                time in which frames silently vanish
//     virtual 1                  paced by the simulated time of test_clock.c
//     jitter N                   ... which wakes the program up to N microseconds late
//     once FILE                  fails, stalls and skips only while FILE does not exist, and makes it when it has
//     loop 1                     what devices with this setting play is heard by those that have it: one process, one rate,
//                                FLOAT_LE, the first channel
//     hidden N                   ... N frames later, of which neither device tells
//     room FILE                  ... with the echoes of an impulse response: raw floats, most of them zero
//     fading N                   ... softer by N dB each second, down to 20 dB
//     player FILE                ... and somebody plays along: raw floats, which begin with the first frame that is heard
//     gone N                     ... from when on opening fails with that error: it never comes back
//   }
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    snd_pcm_ioplug_t io;
    int in, out, log;
    long ppm, speed, latency, rate, channels, open_errno, fail_errno, fail_after, fail_count, fail_every, resume;
    long stall_after, skip_after, skip_frames, simulated, jitter, failures, gone, loop, hidden, fading, fail_mix;
    long prepare_errno, start_errno, again_count;
    void (*advance)(long long);
    unsigned long long random;
    double start;            // when it was started, in seconds
    long long applied;       // frames transferred since it was prepared
    long long total;         // ... since it was opened
    long long skipped;       // frames that vanished since it was prepared
    long failures_left, resumes_left;
    int running;
    char *once;
    size_t frame_bytes;
    float *prefilled;        // played into the loop before the start, when it is not known yet when that will sound
} card_t;

// The loop: each sample with the frame of the system's clock at which it sounds. 2.7 s at 48 kHz.
enum { AIR = 1 << 17 };
static struct { _Atomic long long at; _Atomic float value; } air[AIR];
static _Atomic long long origin = -1; // where the first frame sounds that was played into it
enum { MOST_ECHOES = 256 };
static struct { int delay; float gain; } echoes[MOST_ECHOES];
static int echo_count;
static float *player;
static long long player_count;

// The floats of a file; the caller frees them.
static float *read_floats(const char *path, long long *count) {
    *count = 0;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    fseek(file, 0, SEEK_END);
    long long size = ftell(file) / (long long)sizeof(float);
    rewind(file);
    float *values = calloc(size > 0 ? size : 1, sizeof *values);
    if (values) *count = (long long)fread(values, sizeof *values, size, file);
    fclose(file);
    return values;
}
static void furnish(const char *path) {
    long long count;
    float *response = read_floats(path, &count);
    echo_count = 0;
    for (long long n = 0; response && n < count && echo_count < MOST_ECHOES; n++) {
        if (response[n] == 0) continue;
        echoes[echo_count].delay = (int)n;
        echoes[echo_count++].gain = response[n];
    }
    free(response);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}
static int plays(const card_t *card) { return card->io.stream == SND_PCM_STREAM_PLAYBACK; }

// The fault has happened: not again on the next handle.
static void leave_mark(card_t *card) {
    if (!card->once) return;
    int mark = open(card->once, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (mark >= 0) close(mark);
}

// Frames through the converter since the start.
static long long position(card_t *card) {
    if (!card->running) return 0;
    long long at = (long long)((now() - card->start) * card->io.rate * card->speed * (1 + card->ppm * 1e-6));
    if (card->stall_after > 0 && at > card->stall_after) {
        at = card->stall_after;
        leave_mark(card);
    }
    return at - card->skipped;
}
static long long available(card_t *card) {
    long long at = position(card);
    return plays(card) ? (long long)card->io.buffer_size - (card->applied - at) : at - card->applied;
}
static void arm(card_t *card, int on) {
    struct itimerspec timer = {0};
    if (on) {
        double period = card->io.period_size / (double)card->io.rate / card->speed;
        timer.it_interval.tv_sec = (time_t)period;
        timer.it_interval.tv_nsec = (long)((period - (time_t)period) * 1e9) + 1;
        timer.it_value = timer.it_interval;
    }
    if (card->advance) return; // the descriptor is always ready: the card moves the clock instead
    timerfd_settime(card->io.poll_fd, 0, &timer, 0);
}
// From 0 to 1.
static double next_random(card_t *card) {
    card->random = card->random * 6364136223846793005ull + 1442695040888963407ull;
    return (card->random >> 33) / 2147483648.0;
}
// Moves the simulated clock to when a period can be transferred, and a little past it.
static void simulate_waiting(card_t *card) {
    long long missing = (long long)card->io.period_size - available(card);
    if (missing < 1) missing = 1;
    double late = card->jitter * 1e-6 * next_random(card);
    card->advance((long long)(((missing + 1) / (double)card->io.rate / card->speed + late) * 1e9));
}
// Writes down which frame of outfile is heard now.
static void note(card_t *card) {
    if (card->log < 0 || card->out < 0) return;
    double at = now();
    long long written = (long long)(lseek(card->out, 0, SEEK_END) / (off_t)card->frame_bytes);
    long long first = written - card->applied + position(card);
    double whole = card->start + (position(card) + card->skipped) / (double)card->io.rate / card->speed;
    dprintf(card->log, "%lld %.0f\n", first, (whole < at ? whole : at) * 1e9);
}
// The frame of the system's clock at which frame n of this start sounds, or is heard.
static long long moment(const card_t *card, long long n) { return llround(card->start * card->io.rate) + n; }
static void sound(card_t *card, long long n, float value) {
    long long at = moment(card, n) + card->latency;
    long long nowhere = -1;
    atomic_compare_exchange_strong(&origin, &nowhere, at);
    atomic_store(&air[at & (AIR - 1)].at, -1);
    atomic_store(&air[at & (AIR - 1)].value, value);
    atomic_store(&air[at & (AIR - 1)].at, at);
}
// Plays `frames` frames into the loop, of which the first is number card->applied since the start.
static void play_into_loop(card_t *card, const char *bytes, snd_pcm_uframes_t frames) {
    for (snd_pcm_uframes_t i = 0; i < frames; i++) {
        float value;
        memcpy(&value, bytes + i * card->frame_bytes, sizeof value);
        if (card->running) sound(card, card->applied + i, value);
        else card->prefilled[(card->applied + i) % card->io.buffer_size] = value;
    }
}
static float heard_at(long long at) {
    float value = atomic_load(&air[at & (AIR - 1)].value);
    return atomic_load(&air[at & (AIR - 1)].at) == at ? value : 0;
}
static void hear_loop(card_t *card, char *bytes, snd_pcm_uframes_t frames) {
    for (snd_pcm_uframes_t i = 0; i < frames; i++) {
        long long at = moment(card, card->applied + i) - card->latency - card->hidden;
        float value = echo_count ? 0 : heard_at(at);
        for (int n = 0; n < echo_count; n++) value += echoes[n].gain * heard_at(at - echoes[n].delay);
        long long place = at - atomic_load(&origin);
        if (card->fading && place > 0) {
            double decibels = card->fading * (double)place / card->io.rate;
            value *= pow(10, -(decibels < 20 ? decibels : 20) / 20);
        }
        if (atomic_load(&origin) >= 0 && place >= 0 && place < player_count) value += player[place];
        for (unsigned c = 0; c < card->io.channels; c++)
            memcpy(bytes + i * card->frame_bytes + c * sizeof value, &value, sizeof value);
    }
}
// The failure of a recovery that is due, or 0.
static int failure_again(card_t *card, long number) {
    return number && card->failures && card->again_count-- > 0 ? -(int)number : 0;
}
static int card_start(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    int error = failure_again(card, card->start_errno);
    if (error) return error;
    card->start = now();
    // A converter begins at the next edge of its own clock. Without that, each start in simulated time would see its positions
    // rounded to whole frames in the same way, and errors of the rate would not average out over many starts.
    if (card->simulated) card->start += next_random(card) / card->io.rate;
    card->running = 1;
    if (card->loop && plays(card)) for (long long i = 0; i < card->applied; i++) sound(card, i, card->prefilled[i]);
    arm(card, 1);
    note(card);
    return 0;
}
static int card_stop(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    card->running = 0;
    arm(card, 0);
    return 0;
}
static int card_prepare(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    int error = failure_again(card, card->prepare_errno);
    if (error) return error;
    card->running = 0;
    card->applied = card->skipped = 0;
    card->frame_bytes = snd_pcm_format_physical_width(io->format) / 8 * io->channels;
    if (card->loop) {
        if (io->format != SND_PCM_FORMAT_FLOAT_LE) return -EINVAL;
        free(card->prefilled);
        card->prefilled = calloc(io->buffer_size, sizeof *card->prefilled);
        if (!card->prefilled) return -ENOMEM;
    }
    arm(card, 0);
    if (plays(card)) { // room at once
        struct itimerspec soon = {{0, 1000000}, {0, 1}};
        if (!card->advance) timerfd_settime(io->poll_fd, 0, &soon, 0);
    }
    return 0;
}
static int card_resume(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    if (card->resume == 0) return -ENOSYS;
    if (--card->resumes_left > 0) return -EAGAIN;
    card->resumes_left = card->resume;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    return 0;
}
// Frames of some time that never existed: neither the buffer nor the delay shows them.
static void vanish(card_t *card) {
    double seconds = card->skip_frames / (double)card->io.rate / card->speed;
    card->start += seconds;
    struct timespec pause = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    if (card->advance) card->advance((long long)(seconds * 1e9));
    else nanosleep(&pause, 0);
    leave_mark(card);
    note(card);
}
// The failure that is due, or 0.
static int failure(card_t *card) {
    if (card->fail_mix && card->total >= card->fail_after && card->fail_errno != ENODEV) {
        static const int kinds[] = {EPIPE, ESTRPIPE, EIO, ENODEV, 0};
        static _Atomic unsigned next; // for all handles
        card->fail_errno = kinds[atomic_fetch_add(&next, 1) % (sizeof kinds / sizeof *kinds)];
        if (!card->fail_errno) {
            vanish(card);
            card->failures++;
            card->fail_after = card->total + card->fail_every;
            return 0;
        }
    }
    if (!card->fail_errno || card->total < card->fail_after || !card->failures_left) return 0;
    leave_mark(card);
    card->failures++;
    if (card->fail_errno == ENODEV) { // for ever
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
        return -ENODEV;
    }
    if (--card->failures_left == 0 && card->fail_every) {
        card->fail_after = card->total + card->fail_every;
        card->failures_left = card->fail_count;
    }
    if (card->fail_errno == EAGAIN || card->fail_errno == EINTR) return -(int)card->fail_errno; // it runs on
    if (card->fail_errno == ESTRPIPE) snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
    else { card->running = 0; snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN); }
    return -(int)card->fail_errno;
}
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    long long room = available(card);
    if (card->running && room > (long long)io->buffer_size) { // dry, or full
        card_stop(io);
        return -EPIPE;
    }
    return position(card) % io->buffer_size;
}
static snd_pcm_sframes_t card_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
    card_t *card = io->private_data;
    int error = failure(card);
    if (error) return error;
    if (card->skip_after && card->total >= card->skip_after) {
        card->skip_after = 0;
        vanish(card);
    }
    char *at = (char *)areas->addr + (areas->first + areas->step * offset) / 8;
    size_t bytes = frames * card->frame_bytes, got = 0;
    if (plays(card)) {
        if (card->loop) play_into_loop(card, at, frames);
        while (card->out >= 0 && got < bytes) {
            ssize_t written = write(card->out, at + got, bytes - got);
            if (written <= 0) break;
            got += written;
        }
    } else {
        while (card->in >= 0 && got < bytes) {
            ssize_t read_now = read(card->in, at + got, bytes - got);
            if (read_now <= 0) break;
            got += read_now;
        }
        memset(at + got, 0, bytes - got);
        if (card->loop) hear_loop(card, at, frames);
    }
    card->applied += frames;
    card->total += frames;
    return frames;
}
static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    card_t *card = io->private_data;
    long long at = position(card);
    *delay = (plays(card) ? card->applied - at : at - card->applied) + card->latency;
    return 0;
}
static int card_revents(snd_pcm_ioplug_t *io, struct pollfd *entry, unsigned count, unsigned short *events) {
    card_t *card = io->private_data;
    unsigned short ready = plays(card) ? POLLOUT : POLLIN;
    *events = 0;
    if (count < 1 || !(entry[0].revents & POLLIN)) return 0;
    if (io->state == SND_PCM_STATE_DISCONNECTED) { *events = POLLERR | POLLHUP; return 0; }
    long long room = available(card);
    if (io->state == SND_PCM_STATE_XRUN || io->state == SND_PCM_STATE_SUSPENDED || room > (long long)io->buffer_size) {
        *events = POLLERR | ready;
        return 0;
    }
    if (card->advance && room < (long long)io->period_size) {
        simulate_waiting(card);
        room = available(card);
    }
    if (room >= (long long)io->period_size) { *events = ready; return 0; }
    if (card->advance) return 0;
    uint64_t ticks;
    ssize_t ignored = read(io->poll_fd, &ticks, 8);
    (void)ignored;
    return 0;
}
static int card_close(snd_pcm_ioplug_t *io) {
    card_t *card = io->private_data;
    if (card->in >= 0) close(card->in);
    if (card->out >= 0) close(card->out);
    if (card->log >= 0) {
        dprintf(card->log, "closed %lld %ld\n", card->total, card->failures);
        close(card->log);
    }
    close(io->poll_fd);
    free(card->once);
    free(card->prefilled);
    free(card);
    return 0;
}
static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start, .stop = card_stop, .pointer = card_pointer, .transfer = card_transfer,
    .prepare = card_prepare, .delay = card_delay, .poll_revents = card_revents, .close = card_close,
    .resume = card_resume,
};

SND_PCM_PLUGIN_DEFINE_FUNC(testcard) {
    (void)root;
    card_t *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->speed = card->fail_count = 1;
    card->in = card->out = card->log = -1;
    const char *infile = 0, *outfile = 0, *logfile = 0, *format = 0, *once = 0, *room = 0, *along = 0;
    const struct { const char *name; long *value; } numbers[] = {
        {"ppm", &card->ppm}, {"speed", &card->speed}, {"latency", &card->latency}, {"rate", &card->rate},
        {"channels", &card->channels}, {"open_errno", &card->open_errno}, {"fail_errno", &card->fail_errno},
        {"fail_after", &card->fail_after}, {"fail_count", &card->fail_count}, {"fail_every", &card->fail_every},
        {"resume", &card->resume}, {"stall_after", &card->stall_after}, {"skip_after", &card->skip_after},
        {"skip_frames", &card->skip_frames}, {"virtual", &card->simulated}, {"jitter", &card->jitter},
        {"gone", &card->gone}, {"loop", &card->loop}, {"hidden", &card->hidden}, {"fading", &card->fading},
        {"prepare_errno", &card->prepare_errno}, {"start_errno", &card->start_errno},
        {"again_count", &card->again_count}, {"fail_mix", &card->fail_mix},
    };
    snd_config_iterator_t i, next;
    snd_config_for_each(i, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(i);
        const char *id;
        if (snd_config_get_id(node, &id) < 0) continue;
        if (!strcmp(id, "infile")) snd_config_get_string(node, &infile);
        if (!strcmp(id, "outfile")) snd_config_get_string(node, &outfile);
        if (!strcmp(id, "logfile")) snd_config_get_string(node, &logfile);
        if (!strcmp(id, "once")) snd_config_get_string(node, &once);
        if (!strcmp(id, "room")) snd_config_get_string(node, &room);
        if (!strcmp(id, "player")) snd_config_get_string(node, &along);
        if (!strcmp(id, "format")) snd_config_get_string(node, &format);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            if (!strcmp(id, numbers[k].name)) snd_config_get_integer(node, numbers[k].value);
    }
    if (card->gone && once && access(once, F_OK) == 0) card->open_errno = card->gone;
    if (card->open_errno) {
        int error = -(int)card->open_errno;
        free(card);
        return error;
    }
    if (card->simulated) {
        *(void **)&card->advance = dlsym(RTLD_DEFAULT, "test_clock_advance");
        if (!card->advance) { // without the clock that goes with it
            free(card);
            return -ENOSYS;
        }
    }
    // Each handle is late in its own way: with the same wake-ups after each reopening, errors would not average out.
    static _Atomic unsigned long long handles;
    card->random = atomic_fetch_add(&handles, 1) * 0x9e3779b97f4a7c15ull;
    card->failures_left = card->fail_count;
    card->resumes_left = card->resume;
    if (once && access(once, F_OK) == 0) card->fail_errno = card->stall_after = card->skip_after = 0;
    else if (once) card->once = strdup(once);
    if (infile && stream == SND_PCM_STREAM_CAPTURE) card->in = open(infile, O_RDONLY | O_CLOEXEC);
    if (outfile && stream == SND_PCM_STREAM_PLAYBACK)
        card->out = open(outfile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (room && stream == SND_PCM_STREAM_CAPTURE) furnish(room);
    if (along && stream == SND_PCM_STREAM_CAPTURE && !player) player = read_floats(along, &player_count);
    if (logfile) card->log = open(logfile, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "test card";
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_fd = card->advance ? eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC)
                                     : timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    card->io.poll_events = POLLIN;
    int error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (error < 0) {
        free(card);
        return error;
    }
    const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
    unsigned formats[] = {
        SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE,
        SND_PCM_FORMAT_S16_LE,
    };
    if (format) formats[0] = snd_pcm_format_value(format);
    snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
    snd_pcm_ioplug_set_param_list(&card->io, SND_PCM_IOPLUG_HW_FORMAT, format ? 1 : 5, formats);
    snd_pcm_ioplug_set_param_minmax(
        &card->io, SND_PCM_IOPLUG_HW_CHANNELS, card->channels ? card->channels : 1, card->channels ? card->channels : 8);
    snd_pcm_ioplug_set_param_minmax(
        &card->io, SND_PCM_IOPLUG_HW_RATE, card->rate ? card->rate : 8000, card->rate ? card->rate : 192000);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 18);
    snd_pcm_ioplug_set_param_minmax(&card->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
    *pcmp = card->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(testcard);
