#include <sqlite3.h>

// The macro SQLITE_TRANSIENT, a cast of -1, does not import: SQLite copies the text.
static inline int bind_copied_text(sqlite3_stmt *statement, int place, const char *text, int bytes) {
    return sqlite3_bind_text(statement, place, text, bytes, SQLITE_TRANSIENT);
}

static inline int bind_copied_bytes(sqlite3_stmt *statement, int place, const void *bytes, int count) {
    // A null pointer would bind NULL.
    return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                      : sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}
