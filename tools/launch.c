#include "tools/launch.h"

#include "comm/comm_mpi.h"
#include "core/ids.h"
#include "tools/launch_keeper.h"
#include "tools/launch_parent.h"
#include "tools/launch_words.h"

#include <stdlib.h>

/* What launchers tell those they start: their number.  A batch script of Slurm has a number too but
   no step with tasks; the shell of an allocation may be a step, of one. */
static const char *const rank_names[] = { "PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK",
                                          "MV2_COMM_WORLD_RANK" };

static const char *told_rank(void)
{
    for (size_t i = 0; i < COUNT_OF(rank_names); i++)
        if (getenv(rank_names[i])) return getenv(rank_names[i]);
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks && strtoul(tasks, NULL, 10) > 1 ? getenv("SLURM_PROCID") : NULL;
}

bool launch_is_inside(void) { return told_rank() != NULL; }

uint32_t launch_rank(void)
{
    const char *text = told_rank();
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

int launch_begin(tool *t, err *e)
{
    if (!launch_is_inside() || !options_accepts(t->opts, "ranks")) return 0;
    t->is_kept = true;
    return launch_keeper_begin(launch_rank(), getenv(PROGRESS_STDERR) != NULL, e);
}

/* Only returns if nothing was started. */
static int start_ranks(tool *t, uint64_t ranks, err *e)
{
    if (getenv(PROGRESS_STDERR)) /* and so on without end */
        return err_set(e, ERR_SYSTEM,
                       "mpiexec has not told its ranks who they are; is it that of %s?",
                       comm_mpi_library());
    char **words = launch_words(t, ranks, e);
    if (words == NULL) return (int)e->code;
    int status = launch_parent_run(t, words, e);
    if (e->code == ERR_NONE) exit(status);
    return (int)e->code;
}

/* Each rank knows of itself alone: the launcher and the library are of different kinds. */
static int refuse_number(uint64_t wanted, uint32_t given, err *e)
{
    if (given == 1 && getenv(PROGRESS_STDERR))
        return err_set(e, ERR_SYSTEM,
                       "mpiexec has started %u ranks that do not know each other; is it "
                       "that of %s?",
                       (unsigned)wanted, comm_mpi_library());
    return err_set(e, ERR_USAGE,
                   "--ranks %u, but %u were started; leave --ranks out inside mpiexec or "
                   "srun",
                   (unsigned)wanted, given);
}

/* How many a launcher says there are; 1 if it does not. */
static uint32_t told_ranks(void)
{
    static const char *const names[] = { "PMI_SIZE", "OMPI_COMM_WORLD_SIZE",
                                         "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS" };
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (getenv(names[i])) return (uint32_t)strtoul(getenv(names[i]), NULL, 10);
    return 1;
}

/* Each rank finds that out for itself; there is nobody to agree with. */
static int refuse_strangers(err *e)
{
    return err_set(e, ERR_SYSTEM,
                   "%u ranks were started that do not know each other; is the launcher "
                   "that of %s?",
                   told_ranks(), comm_mpi_library());
}

int launch_join(tool *t, uint32_t *ranks, err *e)
{
    uint64_t wanted = options_unsigned(t->opts, "ranks", 0);
    *ranks = 1;
    if (!launch_is_inside()) return wanted > 1 ? start_ranks(t, wanted, e) : 0;
    if (comm_mpi_start(e) != 0) return (int)e->code;
    *ranks = comm_mpi_ranks();
    if (wanted != 0 && wanted != *ranks) refuse_number(wanted, *ranks, e);
    bool known = launch_rank() == comm_mpi_rank() && *ranks >= told_ranks();
    if (e->code == ERR_NONE && !known) refuse_strangers(e);
    if (comm_mpi_agree(e) != 0) launch_leave(t);
    return (int)e->code;
}

void launch_leave(tool *t) { t->has_left = true; }

/* Others that have not failed are in launch_join, or come there. */
static void join_late(tool *t, err *e)
{
    err own = ERR_INIT;
    if (comm_mpi_start(&own) != 0) return;
    comm_mpi_agree(e);
    launch_leave(t);
}

void launch_end(tool *t, err *e)
{
    if (!t->is_kept || t->has_left || e->code == ERR_NONE) return;
    if (comm_mpi_is_started()) comm_mpi_abort(e);
    join_late(t, e);
}

int launch_status(const tool *t, int status)
{
    if (!t->is_kept) return status;
    if (comm_mpi_is_started()) comm_mpi_meet();
    launch_keeper_done(status);
    if (comm_mpi_is_started()) comm_mpi_stop();
    return status;
}

static const option_spec specs[] = {
    { "ranks", 0, OPTION_UNSIGNED, "N", 1, 1 << 16,
      "Start N ranks with mpiexec.  Inside mpiexec or srun there are as many as were "
      "started." },
    { "threads", 0, OPTION_UNSIGNED, "N", 1, 1 << 12,
      "Have N workers in each rank; default 1." },
    { "bind", 0, OPTION_STRING, "HOW", 0, 0,
      "Keep each worker on a core of its own (core), on the cores of a memory node "
      "(numa) or "
      "nowhere (none).  Default: a core where there is one for each worker of the "
      "machine.  "
      "What a launcher or a job allows is shared out, never left." },
    { "counters", 0, OPTION_FLAG, NULL, 0, 0,
      "Count page faults, context switches and, through PAPI, what else the machine "
      "counts." },
    { "launcher", 0, OPTION_STRING, "NAME", 0, 0,
      "How mpiexec reaches other hosts: ssh, rsh, slurm, ..., or a path: a program that "
      "is "
      "called as rsh is." },
    { "hosts", 0, OPTION_STRING, "LIST", 0, 0,
      "Where to start ranks: names with commas between them." },
    { "mpiexec", 0, OPTION_STRING, "COMMAND", 0, 0,
      "Start ranks with COMMAND, which may have arguments: 'mpiexec -iface eth1'; "
      "default "
      "" BESPOKE_MPIEXEC "." },
    { 0 },
};
const option_group options_ranks = { "Ranks and threads", specs };
