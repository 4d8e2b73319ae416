/*
 * lts_share_job.h - the work of one rank while an LTS is loaded by several.
 *
 * lts_share.c opens and ends it, lts_share_run.c is its program for comm/, lts_share_text.c and
 * lts_share_plts.c are where transitions come from.
 */
#ifndef BESPOKE_LTS_SHARE_JOB_H
#define BESPOKE_LTS_SHARE_JOB_H

#include "lang/plts.h"
#include "models/bcg.h"
#include "models/lts_share.h"
#include "models/lts_share_chain.h"
#include "models/lts_share_rows.h"

typedef enum {
    LTS_SHARE_SCAN,  /* read once to learn labels and counts */
    LTS_SHARE_CHAIN, /* agree on them */
    LTS_SHARE_SEND,  /* read, and send each transition to the owner of its source */
    LTS_SHARE_SUM,
    LTS_SHARE_OVER
} lts_share_phase;

/* Some transitions on their way to their owners. */
typedef struct lts_share_portion {
    size_t batches; /* that were read */
    size_t batch, edge;
} lts_share_portion;

typedef struct lts_share_job {
    const char *path;
    load_options load; /* where only rank 0 warns */
    uint32_t rank, ranks, threads;
    distribution_kind kind;
    lts_share *out;
    lts_share_phase phase;
    bool whole;  /* this rank reads all of the file and keeps what is its own */
    bool direct; /* the rows are there already */
    lts_share_rows rows;
    lts_share_portion portion;
    lts_share_count sent; /* on the way from this rank, itself included */
    bool adding;          /* up the counts of all ranks */
    /* Text. */
    bcg_text made; /* of a .bcg */
    aut_range *text;
    label_table *met; /* in this rank's range */
    bool joined;
    err wrong; /* in its range; told when all before it is known to be right */
    lts_share_chain chain;
    /* A .plts. */
    plts_range part;
    state_id next, end, step; /* states of the file that come next; most at a time */
    state_id row;             /* of `part`, and */
    uint64_t edge;            /*   the transition of it that come next */
    lts_batch slice;
} lts_share_job;

/* Open the file, so far as it is the same for all ranks; the places if the counts are known. */
int lts_share_text_open(lts_share_job *j, const char *file, err *e);
int lts_share_plts_open(lts_share_job *j, err *e);
void lts_share_text_close(lts_share_job *j);
void lts_share_plts_close(lts_share_job *j);

/* A slice of scanning, and of agreeing; true: that phase is over. */
bool lts_share_text_scan(lts_share_job *j, err *e);
bool lts_share_text_agree(lts_share_job *j, comm *c, comm_step *how, err *e);

/* The next batches; 0 at the end, where counts are checked, or with a code. */
size_t lts_share_text_next(lts_share_job *j, err *e);
size_t lts_share_plts_next(lts_share_job *j, err *e);

/* Of so many states, the places; and room for the own rows. */
void lts_share_job_place(lts_share_job *j, state_id states, state_id initial,
                         uint64_t transitions);

/* States become places, labels those of the file; in a whole reading other ranks' edges go.  0, or
   ERR_INPUT: the file is not what it was. */
int lts_share_job_translate(lts_share_job *j, lts_batch *b, const label_id *rename,
                            lts_share_count *sent, err *e);

/* Count the transitions of the rows. */
void lts_share_job_count(lts_share_job *j);

/* Everything until the rows are finished. */
extern const comm_program lts_share_run;
enum { LTS_SHARE_EDGE, LTS_SHARE_PIECE, LTS_SHARE_KINDS };
extern const comm_kind lts_share_kinds[LTS_SHARE_KINDS];

#endif
