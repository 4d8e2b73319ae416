/*
 * gen_parts.h - a network in the making: components (.aut), the network (.exp), properties
 * (.mcl).
 *
 * From -o DIR/NAME.exp a component PART gets the name DIR/NAME.PART.aut and a property CLAIM
 * the name DIR/NAME.CLAIM.mcl.  Each file appears whole or not at all, the network last.
 * The first failure is kept, and whatever is called after it does nothing: a family writes
 * its parts down and never looks.
 */
#ifndef BESPOKE_GEN_PARTS_H
#define BESPOKE_GEN_PARTS_H

#include "core/ids.h"
#include "tools/gen_family.h"

#include <inttypes.h>

/* The options of all networks. */
extern const option_group gen_parts_options;

typedef struct gen_parts gen_parts;

/** All of a family's run: look at the command line, let `build` write everything, tell what
    was made.  0 or a code. */
int gen_parts_make(tool *t, const gen_family *f, void (*build)(gen_parts *p), err *e);

/* ---- the command line --------------------------------------------------------------------- */

/** A parameter of the family; out of its bounds is ERR_USAGE. */
uint32_t gen_parts_number(gen_parts *p, const char *name);
bool gen_parts_given(const gen_parts *p, const char *name);

/** Is it too much?  `what` ("a buffer") would have so many states; `remedy` ("lower
    --messages") says what to do.  True, with ERR_USAGE, if so. */
bool gen_parts_too_large(gen_parts *p, double states, const char *what,
                         const char *remedy);

/** Do the states of `n` components ("queues") of so many states each not fit into the key of a
    state?  True, with ERR_USAGE, if so. */
bool gen_parts_too_wide(gen_parts *p, uint32_t n, double states, const char *what,
                        const char *remedy);

/** A parameter cannot be as it is, for a reason that bounds do not tell. */
void gen_parts_refuse(gen_parts *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- components: begin, steps in ascending order of their sources, end --------------------- */

void gen_parts_begin(gen_parts *p, const char *part, ...)
    __attribute__((format(printf, 2, 3)));

/** A transition; the states of a component are those that are mentioned, the initial one is 0. */
void gen_parts_step(gen_parts *p, state_id from, state_id to, const char *label, ...)
    __attribute__((format(printf, 4, 5)));
void gen_parts_end(gen_parts *p);

/** A whole component: a queue of `capacity` values first .. first + values - 1, which it takes
    by ACCEPT !v and hands out by PASS !v. */
void gen_parts_queue(gen_parts *p, const char *part, uint32_t capacity, uint32_t first,
                     uint32_t values);

/* ---- the network and its properties -------------------------------------------------------- */

/** Text of the network. */
void gen_parts_text(gen_parts *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The name of a component in it. */
void gen_parts_use(gen_parts *p, const char *part, ...)
    __attribute__((format(printf, 2, 3)));

/** A property; `formula` may use the macros of standard.mcl. */
void gen_parts_claim(gen_parts *p, const char *claim, bool expected, const char *sentence,
                     const char *formula, ...) __attribute__((format(printf, 5, 6)));

#endif
