/*
 * info_print.h - what `bespoke info` knows of a model, for people and for programs.
 */
#ifndef BESPOKE_INFO_PRINT_H
#define BESPOKE_INFO_PRINT_H

#include "algorithms/lts_facts.h"
#include "tools/model_arg.h"

typedef enum { INFO_OK, INFO_LIMIT, INFO_ERROR } info_status;

typedef struct info {
    model_arg model;
    info_status status; /* how far it came */
    bool loaded;        /* the next nine are known */
    const char *kind;   /* "lts", or what was explored: "network" */
    bool implicit;      /* it was explored */
    bool surrogate;     /* the model carries the mark of our generator */
    state_id states, initial;
    uint64_t transitions;
    label_id labels;
    double load_seconds;
    uint64_t resident; /* anonymous resident bytes after loading */
    bool analysed;     /* the facts are known */
    lts_facts facts;
    double total_seconds;
    uint64_t peak; /* most bytes in use at one time */
} info;

/** One JSON object; what is not known is null.  0, or ERR_SYSTEM. */
int info_print_json(const info *x, err *e);

/* A list of lines for one model. */
void info_print_list(const info *x);

/* A table for several: the heading, then a row each; names in `width` columns. */
void info_print_heading(int width);
void info_print_row(const info *x, int width);

#endif
