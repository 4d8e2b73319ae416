#include "tools/placement.h"

#include "core/suggest.h"
#include "tools/launch.h"

int placement_open(comm_binding **out, tool *t, err *e)
{
    const char *name = options_string(t->opts, "bind", comm_bind_name(COMM_BIND_AUTO));
    comm_bind_mode mode = comm_bind_find(name);
    if (mode < COMM_BIND_MODE_COUNT) return comm_bind_open(out, mode, &t->m, e);
    suggest near = SUGGEST_INIT(name);
    for (comm_bind_mode m = COMM_BIND_AUTO; m < COMM_BIND_MODE_COUNT; m++)
        suggest_consider(&near, comm_bind_name(m));
    return suggest_refuse(&near, "--bind: nothing binds to",
                          "expected core, numa, none or auto", e);
}

void placement_tell(comm_binding *b, const tool *t)
{
    if (b == NULL || launch_rank() > 0) return;
    const char *refusal = comm_bind_refusal(b);
    const comm_bind_machine *m = comm_bind_machine_of(b);
    if (refusal) log_warn(&t->log, "--bind: %s", refusal);
    else if (comm_bind_count(b) == 0) log_detail(&t->log, "workers were not bound");
    else
        log_detail(&t->log, "workers were bound, to %u cores in %u memory nodes",
                   m->cores, m->nodes);
}
