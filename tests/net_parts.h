/*
 * net_parts.h - tiny components in a folder, networks of them, and all that these can do,
 * as lines of text.
 */
#ifndef BESPOKE_NET_PARTS_H
#define BESPOKE_NET_PARTS_H

#include "models/network.h"
#include "tests/scratch.h"

/* A folder with the components: k.aut does A once, ... */
scratch net_parts_open(void);

/* Write net.exp into the folder and open it. */
int net_parts_network(model **out, scratch *dir, const char *text, mem *m,
                      const log_sink *log, err *e);

enum { NET_LINES_MAX = 400, NET_LINE_BYTES = 64 };

typedef struct net_lines {
    char at[NET_LINES_MAX][NET_LINE_BYTES];
    size_t count;
} net_lines;

/* "(0, 1)" as 01: here all components have at most ten states. */
void net_parts_name(const model *s, void *context, const uint32_t *key, char into[16]);

/* All transitions of a model with keys of one word, sorted, each once. */
void net_lines_explore(const model *s, net_lines *out);

/* The lines of a text, sorted, each once. */
void net_lines_split(const char *text, net_lines *out);

bool net_lines_equal(const net_lines *a, const net_lines *b);
void net_lines_show(const char *what, const net_lines *l);

#endif
