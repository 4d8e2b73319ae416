/*
 * share_difference.h - a rank's share of an LTS and the whole, row by row.
 */
#ifndef BESPOKE_SHARE_DIFFERENCE_H
#define BESPOKE_SHARE_DIFFERENCE_H

#include "models/lts_share.h"

/* Names that are hidden when both are read. */
enum { SHARE_HIDDEN = 2 };
extern const char *const share_hidden[SHARE_HIDDEN];

/* What is not the same, in words, or NULL: rows through the places, labels, totals. */
const char *share_difference(const lts_share *s, const lts *whole, uint32_t rank,
                             uint32_t ranks);

#endif
