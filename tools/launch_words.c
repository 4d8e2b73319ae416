#include "tools/launch_words.h"

#include "comm/comm_mpi.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 32, EXE_BYTES = 4096, COUNT_BYTES = 24 };

typedef struct word_list {
    const char **word;
    size_t n;
} word_list;

static void add(word_list *w, const char *word)
{
    if (word) w->word[w->n++] = word;
}

static void add_two(word_list *w, const char *key, const char *value)
{
    if (value == NULL) return;
    add(w, key);
    add(w, value);
}

/* --mpiexec "mpiexec -iface eth1": words with blanks between them.  As many as are in the text. */
static void add_split(word_list *w, char *text)
{
    for (char *rest = text, *word; (word = strtok_r(rest, " \t", &rest)) != NULL;)
        add(w, word);
}

static void add_open_mpi(word_list *w, const char *hosts, const char *launcher)
{
    add(w, "--quiet"); /* we say what happened */
    add(w, "--oversubscribe");
    add_two(w, "--bind-to", "none"); /* a rank has threads */
    add_two(w, "-x", PROGRESS_STDERR);
    add_two(w, "--host", hosts);
    if (launcher == NULL) return;
    bool is_slurm = strcmp(launcher, "slurm") == 0;
    add(w, "--mca");
    add_two(w, "plm", is_slurm ? "slurm" : "rsh");
    if (is_slurm) return;
    add(w, "--mca");
    add_two(w, "plm_rsh_agent", launcher);
}

/* Hydra's, which is MPICH's, MVAPICH's and Intel's.  A launcher is a name, or somebody's program
   with the arguments of rsh. */
static void add_hydra(word_list *w, const char *hosts, const char *launcher)
{
    bool is_path = launcher && strchr(launcher, '/');
    add_two(w, "-hosts", hosts);
    add_two(w, "-launcher", is_path ? "rsh" : launcher);
    add_two(w, "-launcher-exec", is_path ? launcher : NULL);
}

static char *own_path(tool *t, err *e)
{
    char *exe = arena_get(&t->scratch, EXE_BYTES, e);
    if (exe == NULL) return NULL;
    ssize_t bytes = readlink("/proc/self/exe", exe, EXE_BYTES - 1);
    if (bytes < 0)
        err_set(e, ERR_SYSTEM, "cannot find this executable: %s", strerror(errno));
    exe[bytes < 0 ? 0 : bytes] = '\0';
    return bytes < 0 ? NULL : exe;
}

static char *copy_mpiexec(tool *t, err *e)
{
    const char *text = options_string(t->opts, "mpiexec", BESPOKE_MPIEXEC);
    char *copy = arena_get(&t->scratch, strlen(text) + 1, e);
    return copy ? strcpy(copy, text) : NULL;
}

char **launch_words(tool *t, uint64_t ranks, err *e)
{
    char *exe = own_path(t, e), *mpiexec = copy_mpiexec(t, e),
         *count = arena_get(&t->scratch, COUNT_BYTES, e);
    if (e->code != ERR_NONE) return NULL;
    size_t most = WORDS + strlen(mpiexec) + (size_t)t->argc;
    word_list w = { arena_get(&t->scratch, most * sizeof(char *), e), 0 };
    if (w.word == NULL) return NULL;
    const char *hosts = options_string(t->opts, "hosts", NULL);
    const char *launcher = options_string(t->opts, "launcher", NULL);
    snprintf(count, COUNT_BYTES, "%llu", (unsigned long long)ranks);
    add_split(&w, mpiexec);
    if (w.n == 0) return err_set(e, ERR_USAGE, "--mpiexec: expected a command"), NULL;
    add_two(&w, "-n", count);
    if (strcmp(comm_mpi_library(), "Open MPI") == 0) add_open_mpi(&w, hosts, launcher);
    else add_hydra(&w, hosts, launcher);
    add(&w, exe);
    for (int i = 1; i < t->argc; i++) add(&w, t->argv[i]);
    w.word[w.n] = NULL;
    return (char **)(uintptr_t)w.word;
}
