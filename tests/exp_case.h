/*
 * exp_case.h - networks for the tests: a folder with automata, outcomes as text, and random
 * networks together with the tree they must become.
 */
#ifndef BESPOKE_EXP_CASE_H
#define BESPOKE_EXP_CASE_H

#include "core/random.h"
#include "lang/exp.h"
#include "tests/scratch.h"

/* A folder with the automata a.aut, b.aut, c.aut, d.aut; the network is main.exp. */
typedef struct exp_case {
    scratch dir;
    char path[128]; /* of main.exp */
} exp_case;

exp_case exp_case_open(void);
void exp_case_close(exp_case *c);

/* Write a file beside the network. */
void exp_case_write(exp_case *c, const char *name, const char *text);

/**
 * Read `text` as the network and print it, or its message; to be freed.  The name of an
 * automaton of the folder is printed as one letter, the folder not at all.
 */
char *exp_case_outcome(exp_case *c, const char *text, const log_sink *log,
                       err_code *code);

/* A random network and its tree, both to be freed. */
typedef struct exp_case_text {
    char *text, *tree;
} exp_case_text;

exp_case_text exp_case_random(random_stream *r);

#endif
