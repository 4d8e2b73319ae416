/*
 * evidence.h - reasons for a verdict: proofs, certificates, and checking them.
 */
#ifndef BESPOKE_EVIDENCE_H
#define BESPOKE_EVIDENCE_H

#include "encodings/enc_mcl.h"
#include "lang/cert.h"
#include "tools/verdict.h"

/* --diagnostic --certify --shortest: of every command that solves. */
extern const option_group options_evidence;

/* What a certificate says of the question. */
typedef struct evidence_question {
    const char *problem;  /* "bes", "mcl" */
    const char *model;    /* path of the file */
    uint64_t model_hash;  /* of evidence_check_model */
    const char *property; /* in words that `certify` can read again */
    const char *const *hidden;
    size_t hidden_count;
    const char *const *arguments; /* of --model-arg */
    size_t argument_count;
    /* Of a formula over a model, so that a part of the model can be the reason; else NULL. */
    const enc_mcl *encoding;
    const label_table *labels;
} evidence_question;

/** Do the options ask for a reason?  Then the solver must keep choices. */
bool evidence_wanted(const tool *t);

/**
 * Are the options fit for each other?  Before anything is solved.  `lts_too`: the reason may
 * be written as an LTS.
 * 0, or ERR_USAGE: a suffix that cannot be written, or no reason to shorten; ERR_INPUT:
 * a place where no file can be made.
 */
int evidence_check_options(tool *t, bool lts_too, err *e);

/**
 * Before the model is loaded: evidence_check_input, and can a certificate speak of it?
 * Then `*hash` is what it will say.  0; ERR_USAGE, ERR_INPUT.
 */
int evidence_check_model(uint64_t *hash, tool *t, const char *path, err *e);

/** The same of a model that is open by now and was made from all this: `*hash` anew. */
int evidence_check_origin(uint64_t *hash, tool *t, const cert_origin *o, err *e);

/** Will no output fall upon this file, which is read?  0, or ERR_USAGE. */
int evidence_check_input(const tool *t, const char *path, err *e);

/**
 * Shorten the proof of the root of r->g (--shortest), walk it, check it (--certify), write it
 * (--diagnostic), and enter into `v` what became of it.  Of the run, the graph and what was found
 * count, the blocks and clock when it is shortened: then rows of other vertices are asked for too.
 * 0; ERR_SYSTEM when the proof does not hold: a bug of ours.
 */
int evidence_make(verdict *v, tool *t, const run *r, const evidence_question *q, err *e);

/* A certificate to check, and the graph of its question. */
typedef struct evidence_claim {
    const char *path; /* of the certificate */
    const cert_header *h;
    const graph *g;
    const enc_mcl *encoding; /* of a formula over a model; else NULL */
} evidence_claim;

/**
 * Check a certificate; the file is read twice.  0, ERR_REFUSED, or the codes of cert.h; ERR_INPUT too when it has changed.
 */
int evidence_certify_file(verdict *v, const evidence_claim *c, tool *t, err *e);

#endif
