/*
 * ids.h - what is counted, as types.  A number of one kind is never another's index.
 */
#ifndef BESPOKE_IDS_H
#define BESPOKE_IDS_H

#include <stdint.h>

typedef uint32_t state_id;  /* a state of an LTS, from 0 */
typedef uint32_t label_id;  /* a label of a table, dense from 0 in order of first use */
typedef uint32_t local_id;  /* a vertex on its owner, dense from 0 */
typedef uint32_t worker_id; /* a worker, numbered over all ranks and their threads */

/* One value is kept to say "none"; so an LTS has at most 2^32 - 2 states. */
#define STATE_NONE      UINT32_MAX
#define STATES_MAX      (UINT32_MAX - 1)
#define LABEL_NONE      UINT32_MAX
#define LABELS_MAX      (UINT32_MAX - 1)

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
