/*
 * launch_keeper - see launch_keeper.h.
 *
 * Invariant  No rank outlives its keeper, nor, if we have started mpiexec, a keeper the process that
 *            started it: the kernel sees to it (PR_SET_PDEATHSIG).  A keeper ends only after
 *            the rank, so what it tells is on its way before the runtime notices anything.
 */
#include "tools/launch_keeper.h"

#include "comm/comm_halt.h"
#include "core/progress.h"
#include "tools/launch_filter.h"
#include "tools/launch_shortcut.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_SECONDS = 2,
    FINALIZE_SECONDS = 3,
    KILLED_TOO_MS = 10,
    KILLED_FIRST_MS = 100,
    OTHERS_FIRST_MS = 300
};

/* From the rank: it has said and done all; from the kernel, to the rank. */
enum { RANK_IS_DONE = SIGUSR1, RANK_ABORTS = SIGURG, KEEPER_LOST = SIGUSR2 };

typedef struct keeper {
    uint32_t rank;
    bool told;
    pid_t rank_pid, keeper_pid, above; /* above: who started us */
    bool asked;                        /* from above, to end */
    int status;                        /* of a rank that is done, or -1 */
    uint64_t aborted;                  /* when the rank was killed, or 0 */
    double by;                         /* when it should have ended then */
} keeper;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void rest(long ms)
{
    struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
    nanosleep(&t, NULL);
}

/* In one piece, so that lines of ranks do not mix. */
static void say(const char *line) { (void)!write(STDERR_FILENO, line, strlen(line)); }

static void host_name(char *host)
{
    if (gethostname(host, LAUNCH_HOST_BYTES) != 0) strcpy(host, "?");
    host[LAUNCH_HOST_BYTES - 1] = '\0';
}

void launch_fate_text(const launch_fate *x, char *text, size_t bytes)
{
    int n = snprintf(text, bytes, "rank %u (pid %d on %s) ", x->rank, x->pid, x->host);
    if (n < 0 || (size_t)n >= bytes) return;
    if (x->signalled && comm_halt_name(x->number))
        snprintf(text, bytes, "ended by %s", comm_halt_name(x->number));
    else if (x->signalled)
        snprintf(text + n, bytes - (size_t)n, "was killed by signal %d; the run is over",
                 x->number);
    else
        snprintf(text + n, bytes - (size_t)n, "ended with status %d; the run is over",
                 x->number);
}

static void tell_begin(const keeper *k)
{
    char line[LAUNCH_LINE_MOST], host[LAUNCH_HOST_BYTES];
    host_name(host);
    snprintf(line, sizeof line, "%cB %u %d %d %s\n", LAUNCH_MARK, k->rank,
             (int)k->rank_pid, (int)k->keeper_pid, host);
    if (k->told) say(line);
}

/* Where nobody stands above us to choose, a rank that was ended together with all others
   leaves the word to the first. */
static void tell_end(const keeper *k, bool signalled, int number)
{
    launch_fate x = { .rank = k->rank,
                      .pid = (int)k->rank_pid,
                      .number = number,
                      .signalled = signalled,
                      .time = k->aborted ? k->aborted : now_ns() };
    char line[LAUNCH_LINE_MOST], text[LAUNCH_LINE_MOST - 16];
    host_name(x.host);
    launch_fate_text(&x, text, sizeof text);
    if (k->told)
        snprintf(line, sizeof line, "%cE %u %d %d %d %llu %s\n", LAUNCH_MARK, x.rank,
                 x.pid, x.signalled, x.number, (unsigned long long)x.time, x.host);
    else snprintf(line, sizeof line, "bespoke: %s\n", text);
    if (k->told) launch_shortcut_say(line + 1); /* without the mark */
    if (k->told || !signalled || !k->asked || k->rank == 0) say(line);
}

/* ---- the keeper --------------------------------------------------------------------------- */

/* A library that finds another rank dead may abort sooner than that one's keeper is told.  A parent
   hears of both, by when they ended, if who has aborted stays for a while; a person is told
   once, so there who has aborted waits for the runtime to end it. */
_Noreturn static void end_by_signal(keeper *k, int number)
{
    if (k->aborted == 0) k->aborted = now_ns();
    if (number == SIGKILL && !k->told) rest(KILLED_TOO_MS);
    if (number == SIGABRT && !k->told) rest(KILLED_FIRST_MS);
    if (!k->told && k->rank > 0 && comm_halt_name(number)) rest(OTHERS_FIRST_MS);
    tell_end(k, true, number);
    if (number == SIGABRT)
        rest(KILLED_FIRST_MS); /* others tell theirs; the first counts */
    kill(getpid(), SIGKILL);   /* so the runtime ends all others */
    _exit(err_exit_status(ERR_SYSTEM));
}

/* The rank is done; what remains is MPI_Finalize, in which libraries were seen to wait for each other
   for ever.  Where the first rank's exit status counts, it is the first to be given up. */
static void hear_status(keeper *k, int status)
{
    char line[16];
    snprintf(line, sizeof line, "%cS %d\n", LAUNCH_MARK, status);
    if (k->told && k->rank == 0) say(line);
    k->status = status;
    k->by = clock_seconds() + FINALIZE_SECONDS + (!k->told && k->rank > 0);
}

/* With a parent the status goes to it alone: runtimes add statuses up, and comment on them. */
_Noreturn static void end_in_order(const keeper *k)
{
    _exit(k->told || k->rank > 0 ? 0 : k->status);
}

/* Somebody has called exit; if it was our own abort it has told why. */
_Noreturn static void end_by_exit(const keeper *k, int status)
{
    if (k->told || status != err_exit_status(ERR_SYSTEM)) tell_end(k, false, status);
    kill(getpid(), SIGKILL); /* others may wait for this rank to begin */
    _exit(err_exit_status(ERR_SYSTEM));
}

static void act(keeper *k, int number, const siginfo_t *info)
{
    if (number < 0 || number == SIGCHLD) return;
    if (number == RANK_ABORTS && info->si_code == SI_QUEUE)
        k->aborted = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    else if (number != RANK_IS_DONE) {
        k->asked |= info->si_pid == k->above;
        kill(k->rank_pid, number);
    } else if (info->si_code == SI_QUEUE && info->si_pid == k->rank_pid)
        hear_status(k, info->si_value.sival_int);
}

/* Its last word may have come together with its end.  What kills it in MPI_Finalize takes nothing
   back; another status than it has told is that of a sanitizer, or of an abort. */
static void look_for_end(keeper *k)
{
    static const struct timespec at_once = { 0 };
    int result;
    sigset_t word;
    siginfo_t info;
    if (waitpid(k->rank_pid, &result, WNOHANG) != k->rank_pid) return;
    sigemptyset(&word);
    sigaddset(&word, RANK_IS_DONE);
    sigaddset(&word, RANK_ABORTS);
    for (int number; (number = sigtimedwait(&word, &info, &at_once)) > 0;)
        act(k, number, &info);
    if (WIFSIGNALED(result) && k->status < 0) end_by_signal(k, WTERMSIG(result));
    if (WIFEXITED(result) && WEXITSTATUS(result) != k->status)
        end_by_exit(k, WEXITSTATUS(result));
    end_in_order(k);
}

/* A SIGCHLD comes for every end; a second only bounds the time until somebody is given up. */
_Noreturn static void keep(keeper *k, const sigset_t *signals)
{
    static const struct timespec second = { .tv_sec = 1 };
    prctl(PR_SET_NAME, "bespoke-keeper");
    tell_begin(k);
    for (;;) {
        siginfo_t info;
        look_for_end(k);
        if (k->status >= 0 && clock_seconds() > k->by) {
            kill(k->rank_pid, SIGKILL);
            end_in_order(k);
        }
        act(k, sigtimedwait(signals, &info, &second), &info);
    }
}

/* ---- the rank ----------------------------------------------------------------------------- */

/* The keeper was killed.  Nobody but us can tell, and it was this rank that was meant. */
static void look_for_keeper(const keeper *k, int number)
{
    if (number != KEEPER_LOST || getppid() == k->keeper_pid) return;
    tell_end(k, true, SIGKILL);
    kill(getpid(), SIGKILL);
}

/* A signal that came is sent again, to stay pending where comm_run looks for it. */
static void *watch(void *take)
{
    keeper k = *(keeper *)take;
    struct timespec slice = { .tv_nsec = 100 * 1000000 };
    sigset_t lost, all = comm_halt_signals(), one;
    free(take);
    sigemptyset(&lost);
    sigaddset(&lost, KEEPER_LOST);
    sigaddset(&all, KEEPER_LOST);
    int number = KEEPER_LOST;
    while (number == KEEPER_LOST || number < 0) {
        number = sigwaitinfo(&all, NULL);
        look_for_keeper(&k, number);
    }
    kill(getpid(), number);
    for (double end = clock_seconds() + GRACE_SECONDS; clock_seconds() < end;)
        look_for_keeper(&k, sigtimedwait(&lost, NULL, &slice));
    sigemptyset(&one);
    sigaddset(&one, number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    return NULL; /* not reached, unless launch_keeper_done has taken it */
}

/* A library that finds a dead rank aborts: who did so first is known by the time, before memory is given
   back, which may take a while.  Resets itself, so the signal then does what it does. */
static void tell_abort(int number)
{
    int kept = errno;
    sigqueue(getppid(), RANK_ABORTS,
             (union sigval){ .sival_ptr = (void *)(uintptr_t)now_ns() });
    errno = kept;
    raise(number);
}

static int begin_rank(keeper *take, err *e)
{
    struct sigaction abortion = { .sa_handler = tell_abort,
                                  .sa_flags = (int)SA_RESETHAND };
    sigaction(SIGABRT, &abortion, NULL);
    sigset_t children;
    pthread_t thread;
    take->rank_pid = getpid();
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_UNBLOCK, &children, NULL);
    prctl(PR_SET_PDEATHSIG, KEEPER_LOST);
    if (getppid() != take->keeper_pid) kill(getpid(), SIGKILL);
    int code = pthread_create(&thread, NULL, watch, take);
    if (code == 0) return pthread_detach(thread);
    free(take);
    return err_set(e, ERR_SYSTEM, "cannot start a thread: %s", strerror(code));
}

int launch_keeper_begin(uint32_t rank, bool told, err *e)
{
    sigset_t signals = comm_halt_signals(), blocked;
    keeper *k = malloc(sizeof *k);
    if (k == NULL) return err_set(e, ERR_SYSTEM, "no memory to begin a rank");
    *k = (keeper){ .rank = rank,
                   .told = told,
                   .keeper_pid = getpid(),
                   .above = getppid(),
                   .status = -1 };
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, RANK_IS_DONE);
    sigaddset(&signals, RANK_ABORTS);
    blocked = signals;
    sigaddset(&blocked, KEEPER_LOST);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    if (told) prctl(PR_SET_PDEATHSIG, SIGKILL);
    k->rank_pid = fork();
    if (k->rank_pid > 0) keep(k, &signals);
    if (k->rank_pid == 0) return begin_rank(k, e);
    free(k);
    return err_set(e, ERR_SYSTEM, "cannot split: %s", strerror(errno));
}

void launch_keeper_done(int status)
{
    static const struct timespec at_once = { 0 };
    sigset_t halts = comm_halt_signals();
    while (sigtimedwait(&halts, NULL, &at_once) > 0) {}
    sigqueue(getppid(), RANK_IS_DONE, (union sigval){ .sival_int = status });
}
