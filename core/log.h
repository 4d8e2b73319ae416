/*
 * log.h - what a person is told while the tool works, always on stderr.
 * stdout belongs to the answer.  Levels: quiet (-q) errors only, normal, verbose (-v).
 */
#ifndef BESPOKE_LOG_H
#define BESPOKE_LOG_H

typedef enum { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE } log_level;

typedef struct log_sink {
    log_level level;
} log_sink;

#define LOG_INIT ((log_sink){ .level = LOG_NORMAL })

/* One line each; the newline is added.  Any thread may call. */
void log_error(const log_sink *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void log_warn(const log_sink *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void log_note(const log_sink *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void log_detail(const log_sink *l, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
