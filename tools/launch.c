#include "tools/launch.h"

#include "comm/comm_mpi.h"
#include "core/ids.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What launchers tell those they start: their number.  A batch script of Slurm has a number too but
   no step with tasks. */
static const char *const rank_names[] = { "PMIX_RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK",
                                          "MV2_COMM_WORLD_RANK" };

static const char *told_rank(void)
{
    for (size_t i = 0; i < COUNT_OF(rank_names); i++)
        if (getenv(rank_names[i])) return getenv(rank_names[i]);
    return getenv("SLURM_STEP_NUM_TASKS") ? getenv("SLURM_PROCID") : NULL;
}

bool launch_is_inside(void) { return told_rank() != NULL; }

uint32_t launch_rank(void)
{
    const char *text = told_rank();
    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

enum { WORDS = 16 };

static void add_word(const char **words, size_t *n, const char *word)
{
    if (word) words[(*n)++] = word;
}

/* How this mpiexec wants to hear it. */
static size_t mpiexec_words(const char **words, const tool *t, const char *ranks)
{
    bool open_mpi = strcmp(comm_mpi_library(), "Open MPI") == 0;
    const char *hosts = options_string(t->opts, "hosts", NULL);
    const char *launcher = options_string(t->opts, "launcher", NULL);
    size_t n = 0;
    add_word(words, &n, BESPOKE_MPIEXEC);
    add_word(words, &n, "-n");
    add_word(words, &n, ranks);
    if (open_mpi) add_word(words, &n, "--oversubscribe");
    if (hosts) add_word(words, &n, open_mpi ? "--host" : "-hosts");
    add_word(words, &n, hosts);
    if (launcher && open_mpi) {
        add_word(words, &n, "--mca");
        add_word(words, &n, "plm_rsh_agent");
    } else if (launcher) add_word(words, &n, "-launcher");
    add_word(words, &n, launcher);
    return n;
}

/* Only returns if it fails. */
static int become_mpiexec(tool *t, uint64_t ranks, err *e)
{
    char exe[4096], count[24];
    ssize_t bytes = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (bytes < 0)
        return err_set(e, ERR_SYSTEM, "cannot find this executable: %s", strerror(errno));
    exe[bytes] = '\0';
    snprintf(count, sizeof count, "%llu", (unsigned long long)ranks);
    const char **words =
        arena_get(&t->scratch, (WORDS + (size_t)t->argc) * sizeof(char *), e);
    if (words == NULL) return (int)e->code;
    size_t n = mpiexec_words(words, t, count);
    add_word(words, &n, exe);
    for (int i = 1; i < t->argc; i++) add_word(words, &n, t->argv[i]);
    words[n] = NULL;
    execvp(words[0], (char *const *)(uintptr_t)words);
    return err_set(e, ERR_SYSTEM, "cannot start %s: %s", words[0], strerror(errno));
}

int launch_join(tool *t, uint32_t *ranks, err *e)
{
    uint64_t wanted = options_unsigned(t->opts, "ranks", 0);
    *ranks = 1;
    if (!launch_is_inside()) return wanted > 1 ? become_mpiexec(t, wanted, e) : 0;
    if (comm_mpi_start(e) != 0) return (int)e->code;
    uint32_t given = comm_mpi_ranks();
    if (wanted == 0 || wanted == given) {
        *ranks = given;
        return 0;
    }
    comm_mpi_stop();
    return err_set(e, ERR_USAGE,
                   "--ranks %u, but %u were started; leave --ranks out inside mpiexec or "
                   "srun",
                   (unsigned)wanted, given);
}

void launch_leave(void)
{
    if (launch_is_inside()) comm_mpi_stop();
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
      "How mpiexec reaches other hosts: ssh, rsh, slurm, ..." },
    { "hosts", 0, OPTION_STRING, "LIST", 0, 0,
      "Where to start ranks: names with commas between them." },
    { 0 },
};
const option_group options_ranks = { "Ranks and threads", specs };
