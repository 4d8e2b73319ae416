#include "tests/reason_bes.h"

#include "encodings/enc_bes_part.h"

#include <stdlib.h>

enum { WORKERS_MAX = 16 };

const char *reason_bes_run(const reason_bes *c, random_stream *chance)
{
    err e = ERR_INIT;
    enc_bes_parts *parts;
    enc_bes *whole;
    mb_reason *told;
    graph_part *part[WORKERS_MAX];
    enc_bes_part_options o = { .question.root = c->root, .workers = c->workers };
    if (enc_bes_part_open(&parts, c->b, &o, &e) != 0 ||
        enc_bes_open(&whole, c->b, &o.question, &e) != 0)
        abort();
    for (worker_id w = 0; w < c->here; w++)
        part[w] = enc_bes_part_of(parts, c->first + w);
    reason_case r = { .p = { part, c->here, c->ranks }, .o = c->o, .right = c->right };
    const char *wrong = reason_case_run(&r, &told);
    if (wrong == NULL && (told != NULL) != (c->first == 0)) wrong = "who was told?";
    if (wrong == NULL && told)
        wrong = reason_case_check(told, enc_bes_graph(whole), enc_bes_part_wire, parts,
                                  c->right, c->o.m, chance);
    mb_reason_close(told);
    enc_bes_close(whole);
    enc_bes_part_close(parts);
    return wrong == NULL && c->o.m->now != 0 ? "memory was not given back" : wrong;
}
