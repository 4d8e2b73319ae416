#include "tools/workers.h"

#include "comm/comm_mpi.h"
#include "core/suggest.h"
#include "tools/launch.h"
#include "tools/placement.h"

#include <string.h>

static int choose_transport(workers *w, const tool *t, const char *alone, err *e)
{
    const options *o = t->opts;
    bool of_ranks = launch_is_inside() || options_given(o, "ranks");
    const char *name = options_string(o, "transport", of_ranks ? "mpi" : alone);
    w->transport = comm_transport_find(name);
    w->is_sim = strcmp(name, "sim") == 0;
    if (w->transport) return 0;
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    suggest near = SUGGEST_INIT(name);
    for (size_t i = 0; i < count; i++) suggest_consider(&near, all[i]->name);
    return suggest_refuse(&near, "--transport: there is no transport",
                          "expected mpi, threads or sim", e);
}

static int check_options(const workers *w, const tool *t, err *e)
{
    const options *o = t->opts;
    static const char *const of_sim[] = { "workers", "machine", "seed", NULL };
    static const char *const of_real[] = { "ranks",    "threads", "bind",    "counters",
                                           "launcher", "hosts",   "mpiexec", NULL };
    static const char *const of_mpi[] = { "ranks", "launcher", "hosts", "mpiexec", NULL };
    bool is_mpi = strcmp(w->transport->name, "mpi") == 0;
    if (!w->is_sim && options_refuse(o, of_sim, "is for --transport sim", e) != 0)
        return (int)e->code;
    if (w->is_sim && options_refuse(o, of_real, "is not for --transport sim", e) != 0)
        return (int)e->code;
    if (!is_mpi && options_refuse(o, of_mpi, "is for --transport mpi", e) != 0)
        return (int)e->code;
    if (w->is_sim && !options_given(o, "workers"))
        return err_set(e, ERR_USAGE, "--transport sim needs --workers N");
    if (is_mpi || !launch_is_inside()) return 0;
    return err_set(e, ERR_USAGE,
                   "--transport %s is for one process, and this is one of those that "
                   "mpiexec or srun has started",
                   w->transport->name);
}

static int read_machine(workers *w, const tool *t, err *e)
{
    const char *path = options_string(t->opts, "machine", NULL);
    comm_machine_default(&w->machine);
    if (path && comm_machine_read(&w->machine, path, e) != 0) return (int)e->code;
    w->sim = (comm_sim_options){ .machine = &w->machine,
                                 .seed = options_unsigned(t->opts, "seed", 0),
                                 .chaos = options_given(t->opts, "seed") };
    if (w->is_sim) w->options = &w->sim;
    return 0;
}

/* Rank 0 speaks for all. */
static void hush(tool *t)
{
    if (launch_rank() == 0) return;
    t->log.level = LOG_QUIET;
    t->clock.show = false;
}

int workers_open(workers *w, tool *t, const char *alone, err *e)
{
    *w = (workers){ .ranks = 1 };
    if (choose_transport(w, t, alone, e) != 0 || check_options(w, t, e) != 0 ||
        read_machine(w, t, e) != 0 || placement_open(&w->bind, t, e) != 0)
        return (int)e->code;
    w->counters = options_given(t->opts, "counters");
    w->threads =
        (uint32_t)options_unsigned(t->opts, w->is_sim ? "workers" : "threads", 1);
    if (strcmp(w->transport->name, "mpi") == 0) launch_join(t, &w->ranks, e);
    if (e->code == ERR_NONE && (uint64_t)w->ranks * w->threads > COMM_WORKERS_MAX)
        err_set(e, ERR_USAGE,
                "%u ranks with %u threads each; expected at most %u workers", w->ranks,
                w->threads, COMM_WORKERS_MAX);
    hush(t);
    return (int)e->code;
}

void workers_close(workers *w, tool *t)
{
    if (w->transport == NULL) return;
    placement_tell(w->bind, t);
    comm_bind_close(w->bind);
    w->bind = NULL;
    if (strcmp(w->transport->name, "mpi") == 0) launch_leave(t);
}

int workers_agree(const workers *w, err *e)
{
    return w->ranks > 1 ? comm_mpi_agree(e) : (int)e->code;
}

static const option_spec specs[] = {
    { "transport", 0, OPTION_STRING, "NAME", 0, 0,
      "mpi, threads (workers of one process) or sim (a simulated machine); chosen by "
      "itself from --ranks and --threads." },
    { "workers", 0, OPTION_UNSIGNED, "N", 1, 1 << 16, "Simulate N workers." },
    { "machine", 0, OPTION_STRING, "FILE", 0, 0,
      "Simulate the machine that FILE describes." },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0,
      "Draw delays, bursts and slow workers of the simulated machine from N; the same N "
      "gives the same run.  Default: the machine alone, without chance." },
    { 0 },
};
const option_group options_transport = { "Messages", specs };
