/*
 * placement.h - --bind and --counters, for commands that have workers; both stand in options_ranks.
 */
#ifndef BESPOKE_PLACEMENT_H
#define BESPOKE_PLACEMENT_H

#include "comm/comm_bind.h"
#include "tools/command.h"

/** What --bind says, for comm_config.bind.  0, ERR_USAGE (there is no such way), or ERR_LIMIT. */
int placement_open(comm_binding **out, tool *t, err *e);

/** Rank 0 warns, once, if what was asked for could not be; with -v it tells what was done. */
void placement_tell(comm_binding *b, const tool *t);

#endif
