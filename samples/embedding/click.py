"""Write four bars of clicks as a WAV file from Python and print the frame of each beat.

    python3 click.py 97.3 3+2+2 click.wav [libwelltempered.so]
"""

import array
import ctypes
import sys
import wave


class Beat(ctypes.Structure):
    _fields_ = [
        ("frame", ctypes.c_int64),
        ("bar", ctypes.c_int64),
        ("beat", ctypes.c_int32),
        ("beats_in_bar", ctypes.c_int32),
        ("level", ctypes.c_int32),
        ("part", ctypes.c_int32),
    ]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("message", ctypes.c_char * 256)]


def load(path):
    library = ctypes.CDLL(path)
    handle = ctypes.c_void_p
    library.wt_metronome_create.restype = handle
    library.wt_metronome_create.argtypes = [
        ctypes.c_int32, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(Error)]
    library.wt_metronome_render.argtypes = [handle, ctypes.POINTER(ctypes.c_float), ctypes.c_size_t]
    library.wt_metronome_next_beat.restype = ctypes.c_bool
    library.wt_metronome_next_beat.argtypes = [handle, ctypes.POINTER(Beat)]
    library.wt_metronome_destroy.argtypes = [handle]
    return library


def main(tempo="120", accents="4", path="click.wav", library="libwelltempered.so.0", rate=48_000, bars=4):
    wt, error, beat = load(library), Error(), Beat()
    metronome = wt.wt_metronome_create(rate, tempo.encode(), accents.encode(), ctypes.byref(error))
    if not metronome:
        print("click:", error.message.decode(), file=sys.stderr)
        return 2
    block = (ctypes.c_float * 512)()
    with wave.open(path, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        while beat.bar <= bars:
            wt.wt_metronome_render(metronome, block, len(block))
            file.writeframes(array.array("h", (round(32_767 * sample) for sample in block)).tobytes())
            while beat.bar <= bars and wt.wt_metronome_next_beat(metronome, ctypes.byref(beat)):
                if beat.bar <= bars:
                    print(f"frame {beat.frame}: bar {beat.bar} beat {beat.beat} of {beat.beats_in_bar}, level {beat.level}")
    wt.wt_metronome_destroy(metronome)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except OSError as error:
        sys.exit(f"click: {error}; install the library with `make install-c`, or pass its path as the fourth argument")
