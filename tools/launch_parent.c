/*
 * launch_parent - see launch_parent.h.
 *
 * The end       Each rank tells how it ended before mpiexec can know (launch_keeper.h); the first that
 *               was killed is named, what follows from that is not told.  A rank's death ends
 *               all others by mpiexec; a signal to us goes to all ranks by mpiexec, too.
 * No orphans    Three seconds later whoever is left on this machine is killed; processes that have lost
 *               their parent become ours.  On other machines mpiexec's proxies end when
 *               mpiexec does, and ranks when their proxy does.
 * Waiting       One poll: signals, two pipes, the reader of stdout.  Nothing else waits.
 */
#include "tools/launch_parent.h"

#include "comm/comm_halt.h"
#include "tools/launch_keeper.h"
#include "tools/launch_shortcut.h"
#include "tools/launch_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_OF_HYDRA                                                                    \
    "==================================================================================" \
    "="

/* What mpiexec says on stdout begins so, and is its last word. */
static const char *const starts_out[] = { "\n" LINE_OF_HYDRA, LINE_OF_HYDRA, "[mpiexec@",
                                          NULL };
/* On stderr what of ours is told once, at the end; */
#define STARTS_OWN "bespoke: rank ", "bespoke: ended by "
static const char *const starts_own[] = { STARTS_OWN, NULL };

/* and the library's, launchers' and UCX's words, which pass if they are wanted. */
static const char *const starts_err[] = { "[",
                                          "Abort(",
                                          "application called MPI_Abort",
                                          "Fatal error in",
                                          "internal ABORT",
                                          LINE_OF_HYDRA,
                                          STARTS_OWN,
                                          NULL };

/* Seconds.  A runtime may wait for a host that does not answer as long as it likes; not so we. */
static const double patience = 3, linger = 1, first_rank = 60, next_rank = 20;

typedef struct seen {
    int pid, keeper; /* on this machine; 0 if not */
} seen;

typedef struct parent {
    const tool *t;
    launch_stream out, err;
    seen *rank;
    uint32_t ranks, begun;
    bool is_late;      /* not all began in time */
    double begin_by;   /* the next rank; 0: all have */
    launch_fate *fate; /* by rank; `pid` is 0 if it has not come */
    bool has_fate;
    int status; /* of rank 0, or -1 */
    int asked;  /* the signal that asked us to end, or 0 */
    pid_t mpiexec;
    bool reaped, is_pressed;  /* is_pressed: by us, to end */
    int result;               /* of mpiexec, as wait says it */
    int signals;              /* a signalfd */
    sigset_t before;          /* signals blocked when we began */
    double kill_at, leave_at; /* 0: not yet */
    int shortcut;             /* from keepers here, or -1 */
    char word[LAUNCH_WORD_BYTES], host[LAUNCH_HOST_BYTES];
} parent;

/* ---- what keepers tell -------------------------------------------------------------------- */

static void expect_end(parent *p)
{
    if (p->kill_at == 0) p->kill_at = clock_seconds() + patience;
}

static void hear_begin(parent *p, const char *line)
{
    unsigned rank;
    seen x;
    char host[LAUNCH_HOST_BYTES];
    if (sscanf(line, LAUNCH_TELLS_BEGIN, &rank, &x.pid, &x.keeper, host) != 4) return;
    if (rank < p->ranks && strcmp(host, p->host) == 0) p->rank[rank] = x;
    p->begin_by = ++p->begun < p->ranks ? clock_seconds() + next_rank : 0;
}

/* It may come twice. */
static void hear_end(parent *p, const char *line)
{
    launch_fate x;
    int signalled;
    unsigned long long time;
    if (sscanf(line, LAUNCH_TELLS_END, &x.rank, &x.pid, &signalled, &x.number, &time,
               x.host) != 6)
        return;
    x.signalled = signalled != 0;
    x.time = time;
    if (x.rank >= p->ranks) return;
    p->fate[x.rank] = x;
    p->has_fate = true;
    expect_end(p);
}

static void hear(void *self, const char *line)
{
    parent *p = self;
    hear_begin(p, line);
    hear_end(p, line);
    sscanf(line, LAUNCH_TELLS_STATUS, &p->status);
}

static void hear_shortcut(parent *p)
{
    char line[LAUNCH_LINE_MOST];
    while (launch_shortcut_take(p->shortcut, line, sizeof line) > 0) hear_end(p, line);
}

/* ---- processes ---------------------------------------------------------------------------- */

static void kill_known(const parent *p)
{
    for (uint32_t i = 0; i < p->ranks; i++) {
        if (p->rank[i].pid == 0) continue;
        kill(p->rank[i].keeper, SIGKILL);
        kill(p->rank[i].pid, SIGKILL);
    }
}

static void reap(parent *p)
{
    int result;
    for (pid_t pid; (pid = waitpid(-1, &result, WNOHANG)) > 0;) {
        if (pid != p->mpiexec) continue;
        p->reaped = true;
        p->result = result;
        p->leave_at = clock_seconds() + linger;
    }
}

static void take_signals(parent *p)
{
    struct signalfd_siginfo x;
    while (read(p->signals, &x, sizeof x) == (ssize_t)sizeof x) {
        if (x.ssi_signo == SIGCHLD) continue;
        if (p->asked == 0) p->asked = (int)x.ssi_signo;
        if (!p->reaped) kill(p->mpiexec, SIGTERM); /* at SIGINT Hydra talks */
        expect_end(p);
    }
    reap(p);
}

/* Whoever has lost his parent is ours now, and is not left behind. */
static void sweep(parent *p)
{
    double until = clock_seconds() + linger;
    while (waitpid(-1, NULL, WNOHANG) >= 0 && clock_seconds() < until) {
        kill_known(p);
        usleep(5000);
    }
}

/* ---- the start ---------------------------------------------------------------------------- */

_Noreturn static void become_mpiexec(const parent *p, char **words, const int *pipes,
                                     pid_t above)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != above) _exit(err_exit_status(ERR_SYSTEM));
    signal(SIGPIPE, SIG_DFL);
    setenv(PROGRESS_STDERR, progress_on_terminal() ? "terminal" : "pipe", 1);
    if (p->shortcut >= 0) setenv(LAUNCH_SHORTCUT, p->word, 1);
    setenv("UCX_LOG_FILE", "stderr", 0); /* not stdout, where the answer is */
    if (p->t->log.level != LOG_VERBOSE)
        setenv("UCX_HANDLE_ERRORS", "none", 0); /* no backtraces beside the message */
    int null = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
    if (null >= 0) dup2(null, STDIN_FILENO);
    dup2(pipes[1], STDOUT_FILENO);
    dup2(pipes[3], STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &p->before, NULL);
    execvp(words[0], words);
    int why = errno;
    (void)!write(pipes[5], &why, sizeof why);
    _exit(err_exit_status(ERR_SYSTEM));
}

/* Of three pipes: stdout, stderr, and why mpiexec could not be started. */
static int start(parent *p, char **words, err *e)
{
    int pipes[6], why = 0;
    for (int i = 0; i < 6; i += 2)
        if (pipe2(pipes + i, O_CLOEXEC) != 0)
            return err_set(e, ERR_SYSTEM, "no pipe: %s", strerror(errno));
    pid_t self = getpid();
    p->mpiexec = fork();
    if (p->mpiexec == 0) become_mpiexec(p, words, pipes, self);
    for (int i = 1; i < 6; i += 2) close(pipes[i]);
    launch_stream_open(&p->out, pipes[0], STDOUT_FILENO, starts_out);
    launch_stream_open(&p->err, pipes[2], STDERR_FILENO,
                       p->t->log.level == LOG_VERBOSE ? starts_own : starts_err);
    if (p->mpiexec < 0) why = errno;
    else if (read(pipes[4], &why, sizeof why) > 0) waitpid(p->mpiexec, NULL, 0);
    close(pipes[4]);
    if (why == 0) return 0;
    launch_stream_close(&p->out);
    launch_stream_close(&p->err);
    return err_set(e, ERR_SYSTEM, "cannot start %s: %s; --mpiexec names another",
                   words[0], strerror(why));
}

static void watch_signals(parent *p)
{
    sigset_t set = comm_halt_signals();
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &p->before);
    p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    p->shortcut = launch_shortcut_open(p->word);
}

/* ---- the middle --------------------------------------------------------------------------- */

static int timeout_ms(const parent *p, double now)
{
    double at = p->leave_at > 0 ? p->leave_at : p->kill_at > 0 ? p->kill_at : p->begin_by;
    if (at == 0) return -1;
    return at <= now ? 0 : (int)((at - now) * 1000) + 1;
}

static void serve(parent *p)
{
    struct pollfd fds[] = { { .fd = p->signals, .events = POLLIN },
                            launch_stream_wish(&p->out),
                            launch_stream_wish(&p->err),
                            { .fd = p->shortcut, .events = POLLIN } };
    if (poll(fds, 4, timeout_ms(p, clock_seconds())) < 0) return;
    if (fds[0].revents) take_signals(p);
    launch_stream_serve(&p->out, fds[1].revents);
    launch_stream_serve(&p->err, fds[2].revents);
    hear_shortcut(p);
}

static void press(parent *p, double now)
{
    if (p->begin_by > 0 && now >= p->begin_by && p->kill_at == 0 && !p->reaped) {
        p->is_late = true;
        kill(p->mpiexec, SIGTERM);
        expect_end(p);
    }
    if (p->kill_at == 0 || p->leave_at > 0 || now < p->kill_at) return;
    p->is_pressed = true;
    kill(-p->mpiexec, SIGKILL);
    kill_known(p);
    p->leave_at = now + linger;
}

/* A reader who takes his time is waited for, unless we are to end. */
static bool is_over(const parent *p, double now)
{
    if (launch_stream_is_over(&p->out) && launch_stream_is_over(&p->err))
        return p->reaped;
    if (p->leave_at == 0 || now < p->leave_at) return false;
    return p->kill_at > 0 ||
           (!launch_stream_waits(&p->out) && !launch_stream_waits(&p->err));
}

/* ---- the end ------------------------------------------------------------------------------ */

/* A line of ours among what was set aside; NULL if there is none. */
static const char *own_line(parent *p)
{
    static const char own[] = "bespoke: ";
    for (char *line = p->err.aside; line && *line;) {
        char *end = strchr(line, '\n');
        if (strncmp(line, own, sizeof own - 1) == 0) {
            if (end) *end = '\0';
            return line + sizeof own - 1;
        }
        line = end ? end + 1 : NULL;
    }
    return NULL;
}

static void explain_mpiexec(const parent *p, const char *name, err *e)
{
    if (!p->reaped) err_set(e, ERR_SYSTEM, "%s does not end; the run is over", name);
    else if (WIFSIGNALED(p->result))
        err_set(e, ERR_SYSTEM, "%s was killed by signal %d; the run is over", name,
                WTERMSIG(p->result));
    else
        err_set(e, ERR_SYSTEM, "%s ended with status %d; the run is over", name,
                WEXITSTATUS(p->result));
}

/* What a rank's end may be a consequence of: an abort, of a rank that was killed, which a library met
   dead before anybody was told; an exit, of both. */
static int weight(const launch_fate *x)
{
    if (!x->signalled) return 0;
    return x->number == SIGABRT ? 1 : 2;
}

static bool is_before(const launch_fate *x, const launch_fate *y)
{
    return weight(x) != weight(y) ? weight(x) > weight(y) : x->time < y->time;
}

/* What all the rest followed from; NULL if no rank has died. */
static const launch_fate *first_fate(const parent *p)
{
    const launch_fate *first = NULL;
    for (uint32_t i = 0; i < p->ranks; i++)
        if (p->fate[i].pid && (first == NULL || is_before(&p->fate[i], first)))
            first = &p->fate[i];
    return first;
}

static void explain_fate(const launch_fate *x, err *e)
{
    char text[LAUNCH_LINE_MOST];
    launch_fate_text(x, text, sizeof text);
    err_set(e, ERR_SYSTEM, "%s", text);
}

/* The one reason; true if the runtime's own words are wanted, because we know no better. */
static bool explain(parent *p, const char *name, err *e)
{
    const launch_fate *fate = first_fate(p);
    const char *own = own_line(p);
    if (p->asked) {
        err_set(e, ERR_SYSTEM, "ended by %s", comm_halt_name(p->asked));
    } else if (p->is_late) {
        err_set(e, ERR_SYSTEM, "%u of %u ranks do not begin; can %s reach all hosts?",
                p->ranks - p->begun, p->ranks, name);
        return true;
    } else if (p->reaped && WIFSIGNALED(p->result) && !p->is_pressed) {
        explain_mpiexec(p, name, e); /* and its ranks with it */
    } else if (fate && fate->signalled) {
        explain_fate(fate, e);
    } else if (own) {
        err_set(e, ERR_SYSTEM, "%s", own);
    } else if (fate) {
        explain_fate(fate, e);
    } else if (p->status != err_exit_status(ERR_SYSTEM)) {
        explain_mpiexec(p, name, e);
        return true;
    }
    return false;
}

/* All ranks had met when rank 0 told; how mpiexec ended after that does not matter. */
static bool is_in_order(const parent *p)
{
    return p->status >= 0 && p->status != err_exit_status(ERR_SYSTEM) && !p->has_fate;
}

static void write_all(launch_stream *s)
{
    while (launch_stream_waits(s)) launch_stream_serve(s, POLLOUT);
}

static int finish(parent *p, const char *name)
{
    err e = ERR_INIT;
    bool in_order = is_in_order(p);
    bool wanted = !in_order && explain(p, name, &e);
    launch_stream_close(&p->out);
    launch_stream_close(&p->err);
    bool was_ours = in_order && p->reaped && p->result == 0; /* no word of a runtime */
    if (was_ours) launch_stream_release(&p->out);
    else sweep(p);
    if (was_ours || wanted) launch_stream_release(&p->err);
    write_all(&p->err);
    if (in_order) write_all(&p->out);
    if (p->out.lost)
        err_set(&e, ERR_SYSTEM, "cannot write the answer: %s", strerror(p->out.lost));
    if (e.code && progress_on_terminal()) fputs("\r\033[K", stderr);
    if (e.code) log_error(&p->t->log, "%s", e.text);
    return e.code || !in_order ? err_exit_status(ERR_SYSTEM) : p->status;
}

static parent *open_parent(tool *t, uint64_t ranks, err *e)
{
    parent *p = arena_get(&t->scratch, sizeof *p, e);
    seen *rank = arena_get(&t->scratch, ranks * sizeof *rank, e);
    launch_fate *fate = arena_get(&t->scratch, ranks * sizeof *fate, e);
    if (e->code != ERR_NONE) return NULL;
    memset(rank, 0, ranks * sizeof *rank);
    memset(fate, 0, ranks * sizeof *fate);
    memset(p, 0, sizeof *p);
    p->t = t;
    p->rank = rank;
    p->fate = fate;
    p->ranks = (uint32_t)ranks;
    p->status = -1;
    p->begin_by = clock_seconds() + first_rank;
    if (gethostname(p->host, sizeof p->host - 1) != 0) strcpy(p->host, "?");
    return p;
}

int launch_parent_run(tool *t, char **words, err *e)
{
    parent *p = open_parent(t, options_unsigned(t->opts, "ranks", 1), e);
    if (p == NULL) return err_exit_status(e->code);
    watch_signals(p);
    if (start(p, words, e) != 0) return err_exit_status(e->code);
    p->out.filter.to_the_end = true;
    p->err.filter.marks = true;
    p->err.told = hear;
    p->err.told_self = p;
    for (double now = clock_seconds(); !is_over(p, now); now = clock_seconds()) {
        press(p, now);
        serve(p);
    }
    return finish(p, words[0]);
}
