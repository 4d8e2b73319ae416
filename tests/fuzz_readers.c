/*
 * fuzz_readers - random changes to small inputs, through the AUT and .plts readers.
 *
 *     fuzz_readers [--seed N] [--inputs N] [--only INDEX]
 *     fuzz_readers FILE...          these files, in every way
 *     fuzz_readers --corpus DIR     write unchanged inputs for libFuzzer into DIR/aut, DIR/plts
 *
 * Idea       Input number k is a function of the seed and k alone: an input of the corpus, a
 *            few changes (mutate.h), a way of reading.  reader_check.h judges.  A child does
 *            the reading; the parent watches, so that a crash, a sanitizer's report or a
 *            hang also has a number, from which the parent makes the input again.
 * Teeth      Half of the .plts inputs get right checksums after the change, so that what is
 *            behind the checksums is reached; compressed inputs are changed before and after
 *            packing.
 * Failure    Prints what was wrong, writes the input to a file and prints its name and the
 *            command that repeats it.  Exit status 0, 1 (something failed), 2 (usage).
 */
#include "core/progress.h"
#include "core/vec.h"
#include "tests/mutate.h"
#include "tests/naive_aut.h"
#include "tests/reader_check.h"
#include "tests/sample_plts.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXTS = 24, PLTS = 6, HANG_SECONDS = 60, WRONG = 3 };

/* AddressSanitizer asks for this: freed memory is kept for a while, not for ever. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:quarantine_size_mb=4:max_malloc_fill_size=0";
}

/* ---- the corpus ------------------------------------------------------------------------ */

typedef struct corpus {
    mutate_input text[TEXTS], packed[PACKED_KINDS][TEXTS], plts[PLTS];
} corpus;

static const char *const handwritten[] = {
    "des (0,2,2)\n(0,a,1)\n(1,i,0)\n",
    "des (0, 3, 3)\n(0, \"SEND !1\", 1)\n(1, \"a, \"b\"\", 2)\n(2, \"tau\", 0)\n",
    "\n des(1,1,2)  \r\n( 1 , L0 , 0 )\r\n\r\n\x04",
    "des (0,0,1)",
    "des (0,?,?)    \n(0,a,1)\n(3,a,1)\n",
#define LINES_4 "(0,a,0)\n(0,b,0)\n(0,i,0)\n(0,a,0)\n"
    "des(0,16,1)\n" LINES_4 LINES_4 LINES_4 LINES_4,
};

static void make_texts(corpus *c, uint64_t seed)
{
    for (size_t i = 0; i < TEXTS; i++) {
        if (i < COUNT_OF(handwritten)) {
            c->text[i] = mutate_copy(handwritten[i], strlen(handwritten[i]));
        } else {
            random_stream r = random_open(seed, i);
            naive_lts n =
                naive_random(1 + i, 2 * i, 1 + i / 2, i % NAIVE_ORDERS, seed + i);
            size_t bytes;
            char *text = naive_aut_write(&n, i % 2 ? &r : NULL, &bytes);
            c->text[i] = mutate_copy(text, bytes);
            free(text);
            naive_close(&n);
        }
        for (packed_kind k = 0; k < PACKED_KINDS; k++) {
            size_t bytes;
            char *form = packed_bytes(k, c->text[i].data, c->text[i].bytes, &bytes);
            c->packed[k][i] = mutate_copy(form, bytes);
            free(form);
        }
    }
}

static void make_plts(corpus *c, uint64_t seed)
{
    scratch s = scratch_open();
    for (size_t i = 0; i < PLTS; i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        size_t bytes;
        const char *path = scratch_path(&s, "x.plts");
        naive_lts n = naive_random(1 + 20 * i, 40 * i, i == 5 ? 300 : 1 + 2 * i,
                                   NAIVE_SORTED, seed + i);
        lts g = naive_rows(&n, &m);
        if (sample_plts_write(&g, path, &e) != 0) abort();
        char *data = scratch_read(path, &bytes);
        c->plts[i] = mutate_copy(data, bytes);
        free(data);
        lts_close(&g);
        naive_close(&n);
    }
    scratch_close(&s);
}

static void corpus_free(corpus *c)
{
    for (size_t i = 0; i < TEXTS; i++) mutate_free(&c->text[i]);
    for (packed_kind k = 0; k < PACKED_KINDS; k++)
        for (size_t i = 0; i < TEXTS; i++) mutate_free(&c->packed[k][i]);
    for (size_t i = 0; i < PLTS; i++) mutate_free(&c->plts[i]);
}

/* For libFuzzer: its targets take the first byte for the way of reading. */
static void write_inputs(const char *dir, const char *kind, const mutate_input *in,
                         size_t count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, kind);
    mkdir(dir, 0777);
    mkdir(path, 0777);
    for (size_t i = 0; i < count; i++) {
        char *data = malloc(in[i].bytes + 1);
        if (data == NULL) abort();
        data[0] = (char)(i * 37);
        memcpy(data + 1, in[i].data, in[i].bytes);
        snprintf(path, sizeof path, "%s/%s/%zu", dir, kind, i);
        scratch_write(path, data, in[i].bytes + 1);
        free(data);
    }
}

/* ---- one input --------------------------------------------------------------------------- */

typedef enum { TEXT, PACKED_TEXT, PACKED_BYTES, PLTS_BYTES, PLTS_SIGNED } job_kind;

typedef struct job {
    job_kind kind;
    packed_kind packed;
    reader_way way;
    mutate_input in;
} job;

static reader_way make_way(random_stream *r)
{
    bool usual = random_below(r, 16) == 0; /* blocks of the usual size want memory */
    return (reader_way){ .threads = random_below(r, 32) == 0 ? 2 : 1,
                         .block_bytes = usual ? 0 : 16 + (size_t)random_below(r, 500),
                         .limit = (size_t)(usual ? 64 : 16) << 20,
                         .lenient = random_below(r, 4) == 0,
                         .hiding = random_below(r, 4) == 0 };
}

static void change_text(job *j, const corpus *c, random_stream *r)
{
    const mutate_input *base = &c->text[random_below(r, TEXTS)];
    j->in = mutate_copy(base->data, base->bytes);
    for (uint64_t n = 1 + random_below(r, 5); n > 0; n--)
        mutate_text(&j->in, &c->text[random_below(r, TEXTS)], r);
}

static void change_packed(job *j, const corpus *c, random_stream *r)
{
    const mutate_input *of = c->packed[j->packed], *base = &of[random_below(r, TEXTS)];
    j->in = mutate_copy(base->data, base->bytes);
    for (uint64_t n = 1 + random_below(r, 3); n > 0; n--)
        mutate_bytes(&j->in, &of[random_below(r, TEXTS)], r);
}

/* A number of the header, or of one of the sections as the header tells them. */
static void change_number(mutate_input *in, random_stream *r)
{
    uint64_t section = random_below(r, 2 * PLTS_SECTION_COUNT), at[2] = { 0, 256 };
    size_t entry = 64 + 24 * (size_t)section;
    if (section < PLTS_SECTION_COUNT && entry + sizeof at <= in->bytes)
        memcpy(at, in->data + entry, sizeof at);
    mutate_word(in, (size_t)at[0], (size_t)at[1], r);
}

static void change_plts(job *j, const corpus *c, random_stream *r)
{
    const mutate_input *base = &c->plts[random_below(r, PLTS)];
    j->in = mutate_copy(base->data, base->bytes);
    for (uint64_t n = 1 + random_below(r, 3); n > 0; n--)
        if (random_below(r, 8) == 0)
            mutate_bytes(&j->in, &c->plts[random_below(r, PLTS)], r);
        else change_number(&j->in, r);
    if (j->kind == PLTS_SIGNED) reader_check_sign(j->in.data, j->in.bytes);
}

static job make_job(const corpus *c, uint64_t seed, uint64_t index)
{
    static const job_kind kinds[] = { TEXT,         TEXT,       TEXT,
                                      TEXT,         TEXT,       PACKED_TEXT,
                                      PACKED_BYTES, PLTS_BYTES, PLTS_SIGNED };
    random_stream r = random_open(seed, index);
    job j = { .kind = kinds[random_below(&r, COUNT_OF(kinds))], .way = make_way(&r) };
    j.packed = PACKED_GZ + (packed_kind)random_below(&r, PACKED_KINDS - 1);
    if (j.kind == TEXT) j.packed = PACKED_PLAIN;
    if (j.kind == TEXT || j.kind == PACKED_TEXT) change_text(&j, c, &r);
    else if (j.kind == PACKED_BYTES) change_packed(&j, c, &r);
    else change_plts(&j, c, &r);
    return j;
}

static const char *run_job(reader_check *check, const job *j)
{
    switch (j->kind) {
    case TEXT:
    case PACKED_TEXT:
        return reader_check_text(check, j->packed, j->in.data, j->in.bytes, &j->way);
    case PACKED_BYTES:
        return reader_check_file(check, j->in.data, j->in.bytes, &j->way);
    default:
        return reader_check_plts(check, j->in.data, j->in.bytes, &j->way);
    }
}

/* ---- the child and its parent ------------------------------------------------------------ */

/* What the parent sees of the child. */
typedef struct view {
    _Atomic uint64_t index;    /* the input being read */
    _Atomic uint64_t accepted; /* inputs so far */
} view;

static int read_inputs(const corpus *c, uint64_t seed, uint64_t from, uint64_t to,
                       view *v)
{
    reader_check check = reader_check_open();
    const char *what = NULL;
    for (uint64_t i = from; i < to && what == NULL; i++) {
        atomic_store(&v->index, i);
        job j = make_job(c, seed, i);
        what = run_job(&check, &j);
        if (check.accepted) atomic_fetch_add(&v->accepted, 1);
        mutate_free(&j.in);
    }
    if (what) fprintf(stderr, "fuzz_readers: %s\n", what);
    reader_check_close(&check);
    return what ? WRONG : 0;
}

/* Wait for the child; one that reads the same input for too long is ended. */
static int watch(pid_t child, const view *v)
{
    int status = 0;
    uint64_t last = UINT64_MAX;
    double since = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(20 * 1000);
        if (atomic_load(&v->index) != last) {
            last = atomic_load(&v->index);
            since = clock_seconds();
        } else if (clock_seconds() - since > HANG_SECONDS) {
            fprintf(stderr, "fuzz_readers: no end after %d s\n", HANG_SECONDS);
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return status;
        }
    }
    return status;
}

/* Make the input again and leave it, with the way to repeat, for a person. */
static void report(const corpus *c, uint64_t seed, uint64_t index)
{
    static const char *const suffix[] = { ".aut", ".gz", ".zst", ".bz2" };
    char name[128];
    job j = make_job(c, seed, index);
    bool plts = j.kind == PLTS_BYTES || j.kind == PLTS_SIGNED;
    snprintf(name, sizeof name, "fuzz_readers-%" PRIu64 "-%" PRIu64 "%s", seed, index,
             plts ? ".plts" : suffix[j.packed]);
    size_t bytes = j.in.bytes;
    char *form = j.kind == PACKED_TEXT
                     ? packed_bytes(j.packed, j.in.data, j.in.bytes, &bytes)
                     : packed_bytes(PACKED_PLAIN, j.in.data, j.in.bytes, &bytes);
    scratch_write(name, form, bytes);
    fprintf(stderr,
            "fuzz_readers: input %" PRIu64 " of seed %" PRIu64
            " failed; it is in %s; again:\n"
            "    fuzz_readers --seed %" PRIu64 " --only %" PRIu64 "\n",
            index, seed, name, seed, index);
    free(form);
    mutate_free(&j.in);
}

static int fuzz(const corpus *c, uint64_t seed, uint64_t from, uint64_t to)
{
    view *v =
        mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (v == MAP_FAILED) abort();
    double start = clock_seconds();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) exit(read_inputs(c, seed, from, to, v)); /* leaks are looked for */
    int status = watch(child, v);
    bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!fine) report(c, seed, atomic_load(&v->index));
    double seconds = clock_seconds() - start;
    if (fine)
        printf("%" PRIu64 " inputs of seed %" PRIu64 ", %" PRIu64
               " accepted, no failure; "
               "%.0f inputs/s\n",
               to - from, seed, atomic_load(&v->accepted), (double)(to - from) / seconds);
    munmap(v, sizeof *v);
    return fine ? 0 : 1;
}

/* ---- files, and the command line ---------------------------------------------------------- */

static int read_file(const char *path)
{
    reader_check check = reader_check_open();
    size_t bytes;
    char *data = scratch_read(path, &bytes);
    int failed = 0;
    for (unsigned i = 0; i < 16; i++) {
        reader_way w = { .threads = i & 1 ? 2 : 1,
                         .block_bytes = i & 2 ? 50 : 0,
                         .lenient = i & 4,
                         .hiding = i & 8,
                         .limit = 64 << 20 };
        const char *what = reader_check_file(&check, data, bytes, &w);
        if (what == NULL) what = reader_check_text(&check, PACKED_PLAIN, data, bytes, &w);
        if (what == NULL) what = reader_check_plts(&check, data, bytes, &w);
        if (what) fprintf(stderr, "fuzz_readers: %s: %s\n", path, what), failed = 1;
    }
    free(data);
    reader_check_close(&check);
    return failed;
}

static int usage(void)
{
    fprintf(stderr, "usage: fuzz_readers [--seed N] [--inputs N] [--only INDEX]\n"
                    "       fuzz_readers --corpus DIR\n"
                    "       fuzz_readers FILE...\n");
    return 2;
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, from = 0, to = 20000;
    const char *dir = NULL;
    int failed = 0, i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) seed = value;
        else if (strcmp(argv[i], "--inputs") == 0) to = value;
        else if (strcmp(argv[i], "--only") == 0) to = 1 + (from = value);
        else if (strcmp(argv[i], "--corpus") == 0) dir = argv[i + 1];
        else return usage();
    }
    if (i < argc && argv[i][0] == '-') return usage();
    if (i < argc) {
        for (; i < argc; i++) failed |= read_file(argv[i]);
        return failed;
    }
    static corpus c;
    make_texts(&c, seed);
    make_plts(&c, seed);
    if (dir) {
        write_inputs(dir, "aut", c.text, TEXTS);
        write_inputs(dir, "plts", c.plts, PLTS);
    } else failed = fuzz(&c, seed, from, to);
    corpus_free(&c);
    return failed;
}
