/*
 * launch_shortcut.h - from keepers to the parent on the same machine, past the runtime.
 *
 * A runtime that aborts drops what ranks have written last, and that is where it says who died
 * first.  A datagram to an abstract address arrives or is refused at once; where there is no such
 * address (another host) nothing happens, and stderr has to do.
 */
#ifndef BESPOKE_LAUNCH_SHORTCUT_H
#define BESPOKE_LAUNCH_SHORTCUT_H

#include <stddef.h>

/* The environment variable with the address, a word that others cannot guess. */
#define LAUNCH_SHORTCUT "BESPOKE_SHORTCUT"

enum { LAUNCH_WORD_BYTES = 40 };

/** Open the parent's end, and find an address; -1 if the machine has none.  Never blocks. */
int launch_shortcut_open(char word[LAUNCH_WORD_BYTES]);

/** The next line that has come, as a text; its length, 0 if there is none.  Never blocks. */
size_t launch_shortcut_take(int fd, char *line, size_t bytes);

/* Send a line to the parent of the environment, if there is one here.  Never blocks. */
void launch_shortcut_say(const char *line);

#endif
