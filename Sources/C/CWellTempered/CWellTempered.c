// The functions are written in Swift (Sources/DSP/EmbeddingC); this file makes the header of their types a module.
#include "well_tempered_types.h"
