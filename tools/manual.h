/*
 * manual.h - the man pages, as roff on stdout; the build installs what is printed here.
 */
#ifndef BESPOKE_MANUAL_H
#define BESPOKE_MANUAL_H

#include "tools/command.h"

void manual_overview(void);            /* bespoke(1) */
void manual_command(const command *c); /* bespoke-info(1) ... */

#endif
