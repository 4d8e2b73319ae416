/*
 * cert.h - certificates (.cert): a proof graph as lines of text, with what it is about.
 *
 *     bespoke certificate 1
 *     problem bes                       how the graph is made from model and property
 *     model 5f1d... system.bes          cert_hash of the model, and where it was
 *     hidden tau                        any number of these: labels taken as hidden
 *     model-arg 3                       any number of these: what a plug-in was told
 *     property X0_0                     the rest of the line, quoted as in C where needed
 *     verdict TRUE
 *     vertices 3
 *     0 2 5                             vertex, rank, the successor kept or *
 *     5 1 7
 *     7 0 *
 *     end 9ac0...                       XXH64 of all lines before
 *
 * Where states have no numbers of their own, the certificate says which it means, before its
 * vertices: `states S` and S - 1 lines `PARENT K`.  State 0 is the initial one; state i, from 1,
 * is where transition K of state PARENT < i leads, counted from 0 in the order of the model,
 * equal ones once.  Vertex p * S + s is then position p at state s.
 *
 * Vertices stream both ways: a certificate may be much larger than memory.  States do not: 8
 * bytes each are kept.
 */
#ifndef BESPOKE_CERT_H
#define BESPOKE_CERT_H

#include "core/graph.h"

/* How a state is reached. */
typedef struct cert_state {
    uint32_t parent, step;
} cert_state;

typedef struct cert_header {
    char problem[16];          /* "bes", "mcl" */
    uint64_t model_hash;       /* see cert_hash */
    const char *model;         /* path of the model; the reader's when read */
    const char *const *hidden; /* names taken as hidden; the reader's when read */
    size_t hidden_count;
    const char *const *arguments; /* of a plug-in; the reader's when read */
    size_t argument_count;
    const char *property; /* the reader's when read */
    bool verdict;
    uint32_t states; /* 0: they have numbers of their own */
    const cert_state
        *state;        /* of states 1 .. states-1, that of state i at i - 1; the reader's
                                when read */
    uint64_t vertices; /* lines that follow */
} cert_header;

typedef struct cert_vertex {
    vertex_id vertex, choice; /* choice: VERTEX_NONE = all successors */
    uint32_t rank;
} cert_vertex;

typedef struct cert_writer cert_writer;
typedef struct cert_reader cert_reader;

/** Create; the file appears when cert_writer_commit returns 0.  `h` is copied out. */
int cert_writer_open(cert_writer **out, mem *m, const char *path, const cert_header *h,
                     err *e);
int cert_writer_put(cert_writer *w, const cert_vertex *v, err *e);
int cert_writer_commit(cert_writer *w, err *e);
void cert_writer_close(cert_writer *w);

/**
 * Open and read the header, which belongs to the reader.
 * 0, or ERR_INPUT with file:line:column.
 */
int cert_reader_open(cert_reader **out, mem *m, const char *path, err *e);
void cert_reader_close(cert_reader *r);
const cert_header *cert_reader_header(const cert_reader *r);

/**
 * The next vertex: true.  False at the end, when the number of lines and the checksum were
 * right; false with ERR_INPUT otherwise.
 */
bool cert_reader_next(cert_reader *r, cert_vertex *out, err *e);

/* What a model was made from. */
typedef struct cert_origin {
    const char *const *files;
    size_t file_count;
    const char *const *arguments;
    size_t argument_count;
} cert_origin;

/** XXH64 of the bytes of a file as they are on disk.  Of several files and arguments: of their
    bytes one behind the other, each with its length behind it in 8 bytes, the least first;
    the seed is the number of files and, times 2^32, that of arguments.
    0, ERR_INPUT or ERR_LIMIT. */
int cert_hash(uint64_t *out, mem *m, const cert_origin *o, err *e);

#endif
