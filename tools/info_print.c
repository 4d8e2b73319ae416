#include "tools/info_print.h"

#include "tools/answer.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *count_or_null(bool known, uint64_t n)
{
    return known ? json_integer((json_int_t)n) : json_null();
}

static json_t *truth_or_null(bool known, bool b)
{
    return known ? json_boolean(b) : json_null();
}

static json_t *real_or_null(bool known, double x)
{
    return known ? json_real(x) : json_null();
}

static json_t *branching(const info *x)
{
    return json_pack("{s:o, s:o, s:o}", "average",
                     real_or_null(x->analysed, x->facts.branching_average), "min",
                     count_or_null(x->analysed, x->facts.branching_min), "max",
                     count_or_null(x->analysed, x->facts.branching_max));
}

static json_t *shape(const info *x)
{
    static const char *const status[] = { "ok", "limit", "error" };
    bool k = x->loaded;
    return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", /* in this order */
                     "name", answer_json_text(x->model.name), "file",
                     x->model.path ? answer_json_text(x->model.path) : json_null(),
                     "kind", k ? answer_json_text(x->kind) : json_null(), "status",
                     status[x->status], "states", count_or_null(k, x->states),
                     "transitions", count_or_null(k, x->transitions), "labels",
                     count_or_null(k, x->labels), "initial", count_or_null(k, x->initial),
                     "surrogate", truth_or_null(k, x->surrogate));
}

static json_t *facts(const info *x)
{
    const lts_facts *f = &x->facts;
    bool k = x->analysed;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "tau_transitions",
        count_or_null(k, f->tau_transitions), "branching", branching(x),
        "deadlock_states", count_or_null(k, f->deadlock_states),
        "deadlock_states_reachable", count_or_null(k, f->deadlock_states_reachable),
        "livelock", truth_or_null(k, f->livelock), "deterministic",
        truth_or_null(k, f->deterministic), "unreachable_states",
        count_or_null(k, f->unreachable_states), "levels", count_or_null(k, f->levels));
}

static json_t *costs(const info *x)
{
    json_int_t peak = (json_int_t)x->peak;
    return json_pack("{s:{s:o, s:f}, s:{s:[I], s:I, s:o}}", "seconds", "load",
                     real_or_null(x->loaded, x->load_seconds), "total", x->total_seconds,
                     "memory_bytes", "peak_per_rank", peak, "peak_total", peak,
                     "resident_after_load", count_or_null(x->loaded, x->resident));
}

int info_print_json(const info *x, err *e)
{
    json_t *all = shape(x), *f = facts(x), *c = costs(x);
    bool whole = all && f && c && json_object_update(all, f) == 0 &&
                 json_object_update(all, c) == 0;
    json_decref(f);
    json_decref(c);
    if (whole) return answer_json(all, e);
    json_decref(all);
    return answer_json(NULL, e);
}

static const char *yes_no(bool b) { return b ? "yes" : "no"; }

static const char *origin(const info *x)
{
    return x->surrogate ? "surrogate" : "no mark";
}

static void print_deadlocks(const lts_facts *f)
{
    uint64_t all = f->deadlock_states, reachable = f->deadlock_states_reachable;
    printf("deadlock states  %" PRIu64, all);
    if (reachable < all) printf(", %" PRIu64 " of them reachable", reachable);
    printf("\n");
}

static void print_facts(const lts_facts *f)
{
    printf("tau transitions  %" PRIu64 "\n", f->tau_transitions);
    printf("branching        %.2f on average, %" PRIu64 " to %" PRIu64 "\n",
           f->branching_average, f->branching_min, f->branching_max);
    print_deadlocks(f);
    printf("livelock         %s\n", yes_no(f->livelock));
    printf("deterministic    %s\n", yes_no(f->deterministic));
    printf("unreachable      %" PRIu64 "\n", f->unreachable_states);
    printf("levels           %" PRIu32 "\n", f->levels);
}

void info_print_list(const info *x)
{
    printf("model            %s\n", x->model.name);
    if (x->status == INFO_LIMIT) printf("status           limit reached\n");
    if (!x->loaded) return;
    if (x->implicit) printf("kind             %s\n", x->kind);
    printf("origin           %s\n", x->surrogate
                                        ? "surrogate: generated, with the mark of one"
                                        : "no surrogate mark");
    printf("states           %" PRIu32 ", initial %" PRIu32 "\n", x->states, x->initial);
    printf("transitions      %" PRIu64 "\n", x->transitions);
    printf("labels           %" PRIu32 "\n", x->labels);
    if (x->analysed) print_facts(&x->facts);
    printf("%s  %.3f s\n", x->implicit ? "explored in    " : "loaded in      ",
           x->load_seconds);
    printf("memory           %.1f MiB at most\n", (double)x->peak / (1 << 20));
}

void info_print_heading(int width)
{
    printf("%-*s %10s %11s %11s %7s %9s %5s %5s %9s %8s %5s %11s %9s\n", width, "model",
           "states", "transitions", "tau", "labels", "branching", "min", "max",
           "deadlocks", "livelock", "det.", "unreachable", "origin");
}

void info_print_row(const info *x, int width)
{
    const lts_facts *f = &x->facts;
    printf("%-*s", width, x->model.name);
    if (!x->analysed) {
        puts("  (limit reached)");
        return;
    }
    printf(" %10" PRIu32 " %11" PRIu64 " %11" PRIu64 " %7" PRIu32, x->states,
           x->transitions, f->tau_transitions, x->labels);
    printf(" %9.2f %5" PRIu64 " %5" PRIu64 " %9" PRIu64, f->branching_average,
           f->branching_min, f->branching_max, f->deadlock_states);
    printf(" %8s %5s %11" PRIu64 " %9s\n", yes_no(f->livelock), yes_no(f->deterministic),
           f->unreachable_states, origin(x));
}
