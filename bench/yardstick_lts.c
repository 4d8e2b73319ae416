/*
 * yardstick_lts - what the machine allows, for ratios: an AUT file of the plainest shape
 * parsed on one core without a single check, rows built by a counting sort, and the
 * graph searched breadth-first, without and with prefetching.
 *
 *     yardstick_lts FILE.aut      prints: parse rows search prefetched  (seconds)
 *
 * It is no reader: labels are skipped, a malformed file gives nonsense.  The searches are
 * the best of three.  The file is in the page cache and its result arrays are touched
 * before the clock starts, as in nobody's real program.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

typedef struct yard {
    const char *text, *end;
    uint64_t initial, states, transitions;
    uint32_t *from, *to; /* as parsed */
    uint64_t *first;     /* rows */
    uint32_t *target;
    uint32_t *queue;
    uint8_t *seen;
} yard;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Huge pages, touched. */
static void *take(uint64_t bytes)
{
    const uint64_t page = 1u << 21;
    bytes = (bytes + page) & ~(page - 1);
    void *p = aligned_alloc(page, bytes);
    if (p == NULL) exit(3);
    madvise(p, bytes, MADV_HUGEPAGE);
    return memset(p, 0, bytes);
}

static void map_file(yard *y, const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0) exit(2);
    y->text =
        mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (y->text == MAP_FAILED) exit(2);
    y->end = y->text + st.st_size;
    unsigned long long i, m, n;
    if (sscanf(y->text, "des ( %llu , %llu , %llu", &i, &m, &n) != 3) exit(2);
    y->initial = i, y->transitions = m, y->states = n;
}

static uint32_t digits(const char **at)
{
    uint32_t n = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) n = n * 10 + (uint32_t)(**at - '0');
    return n;
}

static double parse(yard *y)
{
    y->from = take(y->transitions * 4);
    y->to = take(y->transitions * 4);
    double start = now();
    const char *at = memchr(y->text, '\n', (size_t)(y->end - y->text));
    for (uint64_t t = 0; t < y->transitions; t++) {
        at += 2; /* newline and parenthesis */
        y->from[t] = digits(&at);
        const char *line_end = memchr(at, '\n', (size_t)(y->end - at));
        if (line_end == NULL) line_end = y->end;
        const char *comma = line_end;
        while (*--comma != ',') continue;
        comma += comma[1] == ' ' ? 2 : 1;
        y->to[t] = digits(&comma);
        at = line_end;
    }
    return now() - start;
}

static double build_rows(yard *y)
{
    double start = now();
    uint64_t n = y->states, m = y->transitions;
    uint64_t *next = take((n + 1) * 8);
    y->first = take((n + 1) * 8);
    y->target = take(m * 4);
    for (uint64_t t = 0; t < m; t++) y->first[y->from[t] + 1]++;
    for (uint64_t s = 0; s < n; s++) y->first[s + 1] += y->first[s];
    memcpy(next, y->first, (n + 1) * 8);
    for (uint64_t t = 0; t < m; t++) y->target[next[y->from[t]]++] = y->to[t];
    free(next);
    return now() - start;
}

static inline void look_ahead(const yard *y, uint64_t head, uint64_t tail)
{
    if (head + 16 < tail) __builtin_prefetch(&y->first[y->queue[head + 16]]);
    if (head + 8 < tail) __builtin_prefetch(&y->target[y->first[y->queue[head + 8]]]);
    if (head + 4 >= tail) return;
    uint64_t t = y->first[y->queue[head + 4]], end = y->first[y->queue[head + 4] + 1];
    if (end > t + 8) end = t + 8;
    for (; t < end; t++) __builtin_prefetch(&y->seen[y->target[t]]);
}

static double search_once(yard *y, int ahead)
{
    memset(y->seen, 0, y->states);
    double start = now();
    uint64_t head = 0, tail = 0;
    y->queue[tail++] = (uint32_t)y->initial;
    y->seen[y->initial] = 1;
    while (head < tail) {
        if (ahead) look_ahead(y, head, tail);
        uint32_t s = y->queue[head++];
        for (uint64_t t = y->first[s]; t < y->first[s + 1]; t++) {
            uint32_t to = y->target[t];
            if (y->seen[to]) continue;
            y->seen[to] = 1;
            y->queue[tail++] = to;
        }
    }
    return now() - start;
}

static double best_search(yard *y, int ahead)
{
    double best = search_once(y, ahead);
    for (int i = 1; i < 3; i++) {
        double again = search_once(y, ahead);
        if (again < best) best = again;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    yard y = { 0 };
    map_file(&y, argv[1]);
    double parsed = parse(&y), built = build_rows(&y);
    y.seen = take(y.states);
    y.queue = take(y.states * 4);
    double plain = best_search(&y, 0), ahead = best_search(&y, 1);
    printf("%.4f %.4f %.4f %.4f\n", parsed, built, plain, ahead);
    return 0;
}
