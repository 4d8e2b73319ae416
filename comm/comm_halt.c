#include "comm/comm_halt.h"

#include "core/ids.h"

#include <stddef.h>

static const struct {
    int number;
    const char *name;
} halts[] = { { SIGTERM, "SIGTERM" }, { SIGINT, "SIGINT" }, { SIGHUP, "SIGHUP" } };

sigset_t comm_halt_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < COUNT_OF(halts); i++) {
        struct sigaction now;
        if (sigaction(halts[i].number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&set, halts[i].number);
    }
    return set;
}

const char *comm_halt_name(int number)
{
    for (size_t i = 0; i < COUNT_OF(halts); i++)
        if (halts[i].number == number) return halts[i].name;
    return NULL;
}

int comm_halt_check(err *e)
{
    sigset_t waiting;
    sigpending(&waiting);
    for (size_t i = 0; i < COUNT_OF(halts); i++)
        if (sigismember(&waiting, halts[i].number))
            return err_set(e, ERR_SYSTEM, "ended by %s", halts[i].name);
    return 0;
}
