/*
 * guide.h - the words that help and man page share and that belong to no single command.
 */
#ifndef BESPOKE_GUIDE_H
#define BESPOKE_GUIDE_H

#include "tools/command.h"

extern const char guide_title[];       /* "on-the-fly verification of ..." */
extern const char guide_description[]; /* paragraphs, as in command.h */
extern const char guide_models[];      /* what MODEL may be */
extern const char guide_model[];       /* the same in a sentence, for commands with one */

bool guide_takes_model(const command *c);

extern const command_example guide_examples[]; /* ends with a NULL line */

/* Exit statuses and their meaning; ends with a NULL doc. */
typedef struct guide_status {
    int status;
    const char *doc;
} guide_status;
extern const guide_status guide_statuses[];

#endif
