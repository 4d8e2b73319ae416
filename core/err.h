/*
 * err.h - how a failure travels: a status code up, its message in a context object.
 *
 * Every function that can fail takes `err *e` last and returns 0 or a code.  err_set
 * writes the message and returns the code; the first message (the deepest) wins, so a
 * caller passes a failure up with `return e->code` and adds nothing.
 */
#ifndef BESPOKE_ERR_H
#define BESPOKE_ERR_H

/* id, exit status of the tool, what it means */
#define ERR_CODES(X)                                                  \
    X(INPUT, 2, "the input is wrong or cannot be read")               \
    X(USAGE, 2, "the command line or a configuration is wrong")       \
    X(REFUSED, 2, "the chosen solver or format does not accept this") \
    X(LIMIT, 3, "a limit was reached: memory or time")                \
    X(SYSTEM, 4, "the machine failed: disk full, a library, MPI")

#define ERR_ENUM(id, status, doc) ERR_##id,
typedef enum { ERR_NONE, ERR_CODES(ERR_ENUM) ERR_CODE_COUNT } err_code;
#undef ERR_ENUM

typedef struct err {
    err_code code;         /* ERR_NONE until something fails */
    char text[4096 + 512]; /* a sentence without newline, ready to print; a path fits */
} err;

#define ERR_INIT ((err){ .code = ERR_NONE })

/**
 * Record a failure, unless one is recorded already, and return the recorded code.
 * Local, never blocks.  The text is cut at the buffer's end.
 */
int err_set(err *e, err_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Exit status of the tool for a code: 0, 2, 3 or 4. */
int err_exit_status(err_code code);

#endif
