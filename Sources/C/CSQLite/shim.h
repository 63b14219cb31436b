#include <sqlite3.h>

// The macro SQLITE_TRANSIENT, a cast of -1, does not import: SQLite copies the text.
static inline int bind_copied_text(sqlite3_stmt *statement, int place, const char *text, int bytes) {
    return sqlite3_bind_text(statement, place, text, bytes, SQLITE_TRANSIENT);
}
