/*
 * exp.h - networks of LTSs (.exp): text to a tree of a few operators.
 *
 * The languages that the format takes operators from (LOTOS, E-LOTOS, CCS, CSP, mCRL) are
 * told apart here and nowhere else: what can be said with the operators below is, and where a
 * language ignores case the names in the tree have been folded already (`fold` says that the
 * labels of the components have to be, too).
 */
#ifndef BESPOKE_EXP_H
#define BESPOKE_EXP_H

#include "core/log.h"
#include "lang/label_rules.h"

/* id, name for messages, what it is */
#define EXP_KINDS(X)                                                                   \
    X(LTS, "automaton", "the component in file `name`")                                \
    X(HIDE, "hide", "labels of `set` become hidden")                                   \
    X(CUT, "cut", "visible transitions with labels of `set` are removed")              \
    X(RENAME, "rename", "labels are renamed by `map`")                                 \
    X(PRIO, "prio", "in a state, what `rules` put below something enabled is removed") \
    X(PAR, "par", "parts move together on interfaces, alone otherwise")                \
    X(VECTORS, "par using", "parts move as some vector says")                          \
    X(CCS, "|", "two parts move alone, or together on a label and its co-action")      \
    X(MERGE, "||", "two parts move alone, or together by a rule of communication")

#define EXP_ENUM(id, name, doc) EXP_##id,
typedef enum { EXP_KINDS(EXP_ENUM) EXP_KIND_COUNT } exp_kind;
#undef EXP_ENUM

/* A place in a file, for messages. */
typedef struct exp_place {
    const char *file;
    uint32_t line, column; /* from 1 */
} exp_place;

typedef struct exp_text {
    const char *at; /* ends in a NUL that `bytes` does not count */
    size_t bytes;
} exp_text;

/* An element of an interface: labels with this gate (this text, in label mode) ... */
typedef struct exp_sync {
    exp_text name;
    int64_t degree; /* ... of exactly so many parts together; -1: all concerned */
    exp_place at;
} exp_sync;

typedef struct exp_vector {
    const exp_text *item; /* one per part; at == NULL: the part is idle */
    exp_text result;
    exp_place at;
} exp_vector;

/* One rule of prio: set[0] above set[1] above ... */
typedef struct exp_order {
    label_set *const *set;
    size_t count;
    exp_place at;
} exp_order;

typedef struct exp_comm {
    exp_text left, right, result; /* gates */
} exp_comm;

typedef struct exp_node exp_node;
struct exp_node {
    exp_kind kind;
    uint32_t height; /* 1 for an automaton */
    exp_place at;
    const exp_node *const
        *part; /* one for hide, cut, rename, prio; one or more for par */
    size_t parts;
    exp_text name;  /* LTS: the path of a file that exists */
    bool composed;  /* HIDE, CUT, RENAME: from an operator of a language, with names that
                       nobody wrote: whether they occur means nothing */
    label_set *set; /* HIDE, CUT: owned by the exp */
    label_map *map; /* RENAME: owned by the exp */
    const exp_order *rules; /* PRIO */
    size_t rule_count;
    bool by_label;          /* PAR, VECTORS: names are whole labels, else gates */
    bool all;               /* PAR: "all", every visible one is in the global interface */
    const exp_sync *global; /* PAR */
    size_t global_count;
    const exp_sync *const *local; /* PAR: per part, local_count[i] of them */
    const size_t *local_count;
    const exp_vector *vector; /* VECTORS */
    size_t vector_count;
};

typedef struct exp_options {
    mem *m;
    const log_sink *log; /* warnings; may be NULL */
} exp_options;

typedef struct exp_net {
    const exp_node *root;
    const char *language; /* its keyword; "" = none was chosen */
    exp_text hidden;      /* how components write the hidden label: "i", "t", "tau" */
    exp_text termination; /* the gate on which all parts synchronise; at == NULL: none */
    exp_text coaction;    /* CCS: what a co-action begins with */
    bool fold;            /* case is ignored: labels of components become upper case, but
                             for the hidden label and the termination gate */
    const exp_comm *comm; /* mCRL */
    size_t comm_count;
    const char *const *files; /* all that was read: the network, inclusions, rule files */
    size_t file_count;
} exp_net;

/* No tree is higher, so whoever walks one may use recursion. */
enum { EXP_HEIGHT_MAX = 2000 };

/**
 * Read and check a network; closed with exp_close.  Includes, rule files and the existence of
 * the components are seen to; the components are not read.
 * 0; ERR_INPUT with file:line:column and what was expected; ERR_LIMIT.
 */
int exp_read(exp_net **out, const char *path, const exp_options *o, err *e);
void exp_close(exp_net *n);

/** Record something at a place: "file:line:column: ...".  Returns the code, ERR_INPUT. */
int exp_error(exp_place at, err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The same as a warning; `log` may be NULL. */
void exp_warn(exp_place at, const log_sink *log, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
