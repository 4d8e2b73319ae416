/*
 * enc_mcl_rows.h - rows of an explicit model that ranks have in parts, on their way to one of them.
 *
 * Owners give the rows of some states as records, each state once, however many vertices speak of it.
 * One rank takes all records and makes a model of them: it has all states, by their
 * numbers, and the transitions of those that it was told of, in their order.  A formula is true or
 * false there of the same vertices, as far as only such states are looked at.
 */
#ifndef BESPOKE_ENC_MCL_ROWS_H
#define BESPOKE_ENC_MCL_ROWS_H

#include "encodings/enc_mcl_part.h"

enum { ENC_MCL_ROWS_WORDS = 3 }; /* of a record */

typedef struct enc_mcl_rows enc_mcl_rows;

/** For numbered parts that were made of `rows`, whose states have these places; all is borrowed.  A byte
    per state of the rank.  0 or ERR_LIMIT. */
int enc_mcl_rows_open(enc_mcl_rows **out, enc_mcl_parts *parts, const lts *rows,
                      const distribution *places, err *e);
void enc_mcl_rows_close(enc_mcl_rows *x);

/** Record i of the state of a vertex of thread `here`, asked for i = 0, 1, ... until it is false.
    `rows` is an enc_mcl_rows; a thread asks for its own vertices alone. */
bool enc_mcl_rows_next(void *rows, uint32_t here, vertex_id v, uint32_t i,
                       uint32_t *record);

/** Keep a record.  0 or ERR_LIMIT; ERR_SYSTEM: damaged. */
int enc_mcl_rows_take(void *rows, const uint32_t *record, err *e);

/** The model, once; it lives until rows are closed.  Eight bytes per state of the whole model, and the
    transitions taken.  `initial`: its number.  0 or ERR_LIMIT. */
int enc_mcl_rows_model(const model **out, enc_mcl_rows *x, state_id initial, err *e);

#endif
