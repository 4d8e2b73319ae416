/*
 * tool.h - one run of the executable, from the command line to the exit status.
 */
#ifndef BESPOKE_TOOL_H
#define BESPOKE_TOOL_H

#include "tools/command.h"

/** Do what the command line says; returns the exit status.  Writes stdout and stderr. */
int tool_main(int argc, char **argv);

#endif
