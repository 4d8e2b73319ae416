/*
 * net_case.h - random small networks, as files in a folder: every operator and mode of
 * every language, nested.
 */
#ifndef BESPOKE_NET_CASE_H
#define BESPOKE_NET_CASE_H

#include "core/random.h"

#include <stddef.h>

enum { NET_CASE_BYTES = 16384, NET_CASE_PARTS = 4 };

typedef struct net_case {
    char text[NET_CASE_BYTES];       /* of net.exp */
    char part[NET_CASE_PARTS][1024]; /* of c0.aut, c1.aut, ... */
    size_t used, parts;
} net_case;

net_case net_case_random(random_stream *r);

/* Write the files into a folder. */
void net_case_write(const net_case *c, const char *folder);

/* All of it on stdout, for who has to find out what went wrong. */
void net_case_dump(const net_case *c);

#endif
