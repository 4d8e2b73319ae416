#include "models/bcg.h"

#include "lang/aut.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int scratch_open(bcg_text *s, err *e)
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

void bcg_text_close(bcg_text *s)
{
    if (s->file[0] == '\0') return;
    unlink(s->file);
    rmdir(s->dir);
    s->file[0] = '\0';
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

/* Wait for bcg_io to end; when our time is up it ends at once.  0 or a code. */
static int await(pid_t child, int *status, progress *clock, err *e)
{
    const struct timespec pause = { .tv_nsec = 2000000 };
    for (;;) {
        pid_t ended = waitpid(child, status, e->code == ERR_NONE ? WNOHANG : 0);
        if (ended == child) return (int)e->code;
        if (ended < 0 && errno != EINTR)
            return err_set(e, ERR_SYSTEM, "bcg_io: cannot be waited for: %s",
                           strerror(errno));
        if (e->code == ERR_NONE && progress_tick(clock, 0, e) != 0) kill(child, SIGKILL);
        if (ended == 0) nanosleep(&pause, NULL);
    }
}

static int finish(pid_t child, const char *path, progress *clock, err *e)
{
    int status;
    if (await(child, &status, clock, e) != 0) return (int)e->code;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    return err_set(e, ERR_INPUT, "%s: bcg_io could not convert it (%s %d)", path,
                   WIFEXITED(status) ? "status" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static int convert(const char *path, const char *to, progress *clock, err *e)
{
    pid_t child;
    progress_begin(clock, "waiting for bcg_io", "bytes", 0);
    int rc = start(&child, path, to);
    if (rc == 0) return finish(child, path, clock, e);
    if (rc == ENOENT)
        return err_set(e, ERR_INPUT,
                       "%s: reading .bcg needs CADP's bcg_io on PATH; where CADP is, run "
                       "\"bcg_io x.bcg x.aut\" (or ask its owner to) and load x.aut",
                       path);
    return err_set(e, ERR_SYSTEM, "bcg_io: cannot be started: %s", strerror(rc));
}

int bcg_text_blame(const bcg_text *s, err *e)
{
    size_t bytes = strlen(s->file);
    if (bytes == 0 || strncmp(e->text, s->file, bytes) != 0) return (int)e->code;
    err deep = *e;
    *e = ERR_INIT;
    return err_set(e, deep.code, "%s%.500s (in the AUT text that bcg_io made of it)",
                   s->path, deep.text + bytes);
}

int bcg_text_open(bcg_text *s, const char *path, progress *clock, err *e)
{
    s->path = path;
    s->file[0] = '\0';
    if (access(path, R_OK) != 0)
        return err_set(e, ERR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    if (strlen(path) >= PATH_MAX)
        return err_set(e, ERR_INPUT, "%.60s...: the name is too long", path);
    if (scratch_open(s, e) != 0) return s->file[0] = '\0', (int)e->code;
    return convert(path, s->file, clock, e);
}

int bcg_read(lts *out, const char *path, const load_options *o, err *e)
{
    *out = (lts){ .m = o->m };
    bcg_text s;
    if (bcg_text_open(&s, path, o->clock, e) == 0 && aut_read(out, s.file, o, e) != 0)
        bcg_text_blame(&s, e);
    bcg_text_close(&s);
    return (int)e->code;
}
