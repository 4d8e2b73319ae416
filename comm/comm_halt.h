/*
 * comm_halt.h - signals that end a run of several ranks in good order: SIGTERM, SIGINT, SIGHUP.
 *
 * Who wants that blocks them in all threads; one that comes stays pending, which the kernel
 * remembers for us, and comm_run looks for it.  Unblocked, they end the process as always.
 */
#ifndef BESPOKE_COMM_HALT_H
#define BESPOKE_COMM_HALT_H

#include "core/err.h"

#include <signal.h>

/* Those that this process does not ignore; to be blocked before there are other threads. */
sigset_t comm_halt_signals(void);

/** Has one come that is blocked?  Local, a system call.  0, or ERR_SYSTEM: ended by SIGTERM. */
int comm_halt_check(err *e);

/* "SIGTERM" and the like; NULL if it is none of these. */
const char *comm_halt_name(int number);

#endif
