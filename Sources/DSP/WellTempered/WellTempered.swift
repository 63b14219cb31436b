// Re-exports all DSP modules. None of them touches a file, a sound card or a terminal.
@_exported public import Intonation
@_exported public import MetronomeEngine
@_exported public import Music
@_exported public import Notation
@_exported public import Pitch
@_exported public import Realtime
@_exported public import Rhythm
@_exported public import ScoreFiles
@_exported public import Spectral
@_exported public import Strum
@_exported public import Synthesis
@_exported public import Timebase
@_exported public import Transcription
@_exported public import TunerEngine
