/*
 * help.h - what a user reads first, printed from the commands' constants.
 * Plain text on stdout here, roff in manual.h; both from the same words.
 */
#ifndef BESPOKE_HELP_H
#define BESPOKE_HELP_H

#include "tools/command.h"

/* `bespoke --help`: what it is, the commands, where to go on. */
void help_overview(void);

/* `bespoke info --help` */
void help_command(const command *c);

/* `bespoke --version`: version and commit, then compiler and libraries, one line each. */
void help_version(void);

#endif
