#include "models/bcg.h"

#include "lang/aut.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct scratch {
    char dir[PATH_MAX - 16];
    char file[PATH_MAX]; /* inside `dir` */
} scratch;

static int scratch_open(scratch *s, err *e)
{
    const char *where = getenv("TMPDIR");
    if (where == NULL || where[0] == '\0') where = "/tmp";
    int bytes = snprintf(s->dir, sizeof s->dir, "%s/bespoke-XXXXXX", where);
    if (bytes >= (int)sizeof s->dir || mkdtemp(s->dir) == NULL)
        return err_set(e, ERR_SYSTEM,
                       "%s: no temporary folder can be made there (TMPDIR): %s", where,
                       strerror(errno));
    snprintf(s->file, sizeof s->file, "%s/model.aut", s->dir);
    return 0;
}

static void scratch_close(scratch *s)
{
    unlink(s->file);
    rmdir(s->dir);
}

/* Start bcg_io, its stdout turned to our stderr: our stdout belongs to the answer.
   0, or an errno. */
static int start(pid_t *child, const char *from, const char *to)
{
    char from_here[PATH_MAX + 2]; /* a name that begins with '-' must not be an option */
    snprintf(from_here, sizeof from_here, "%s%s", from[0] == '-' ? "./" : "", from);
    char *argv[] = { (char[]){ "bcg_io" }, from_here, (char *)(uintptr_t)to, NULL };
    posix_spawn_file_actions_t actions;
    int rc = posix_spawn_file_actions_init(&actions);
    if (rc != 0) return rc;
    rc = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (rc == 0) rc = posix_spawnp(child, "bcg_io", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int finish(pid_t child, const char *path, err *e)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return err_set(e, ERR_SYSTEM, "bcg_io: cannot be waited for: %s",
                           strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    return err_set(e, ERR_INPUT, "%s: bcg_io could not convert it (%s %d)", path,
                   WIFEXITED(status) ? "status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static int convert(const char *path, const char *to, err *e)
{
    pid_t child;
    int rc = start(&child, path, to);
    if (rc == 0) return finish(child, path, e);
    if (rc == ENOENT)
        return err_set(e, ERR_INPUT,
                       "%s: reading .bcg needs CADP's bcg_io on PATH; where CADP is, run "
                       "\"bcg_io x.bcg x.aut\" (or ask its owner to) and load x.aut",
                       path);
    return err_set(e, ERR_SYSTEM, "bcg_io: cannot be started: %s", strerror(rc));
}

int bcg_read(lts *out, const char *path, const load_options *o, err *e)
{
    *out = (lts){ .m = o->m };
    if (access(path, R_OK) != 0)
        return err_set(e, ERR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (strlen(path) >= PATH_MAX)
        return err_set(e, ERR_INPUT, "%.60s...: the name is too long", path);
    scratch s;
    if (scratch_open(&s, e) != 0) return (int)e->code;
    if (convert(path, s.file, e) == 0) aut_read(out, s.file, o, e);
    scratch_close(&s);
    return (int)e->code;
}
