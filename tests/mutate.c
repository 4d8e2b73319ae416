#include "tests/mutate.h"

#include "core/ids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mutate_input mutate_copy(const char *data, size_t bytes)
{
    mutate_input in = { malloc(MUTATE_ROOM), bytes < MUTATE_ROOM ? bytes : MUTATE_ROOM };
    if (in.data == NULL) abort();
    memcpy(in.data, data, in.bytes);
    return in;
}

void mutate_free(mutate_input *in)
{
    free(in->data);
    *in = (mutate_input){ 0 };
}

/* A position, the end included. */
static size_t place(const mutate_input *in, random_stream *r)
{
    return (size_t)random_below(r, in->bytes + 1);
}

static size_t short_length(random_stream *r)
{
    return 1 + (size_t)random_below(r, (uint64_t)1 << random_below(r, 9));
}

static void insert(mutate_input *in, size_t at, const char *what, size_t bytes)
{
    if (in->bytes + bytes > MUTATE_ROOM) return;
    memmove(in->data + at + bytes, in->data + at, in->bytes - at);
    memcpy(in->data + at, what, bytes);
    in->bytes += bytes;
}

static void erase(mutate_input *in, size_t at, size_t bytes)
{
    if (bytes > in->bytes - at) bytes = in->bytes - at;
    memmove(in->data + at, in->data + at + bytes, in->bytes - at - bytes);
    in->bytes -= bytes;
}

/* Put a stretch of `from` at `at`; `from` may be the input itself. */
static void insert_stretch(mutate_input *in, size_t at, const mutate_input *from,
                           random_stream *r)
{
    char stretch[512];
    size_t start = place(from, r), bytes = short_length(r);
    if (bytes > from->bytes - start) bytes = from->bytes - start;
    memcpy(stretch, from->data + start, bytes);
    insert(in, at, stretch, bytes);
}

void mutate_bytes(mutate_input *in, const mutate_input *other, random_stream *r)
{
    size_t at = place(in, r);
    char byte = (char)random_next(r);
    switch (random_below(r, 9)) {
    case 0:
    case 1:
        if (at < in->bytes)
            in->data[at] = (char)((unsigned char)in->data[at] ^ 1u << random_below(r, 8));
        break;
    case 2:
        if (at < in->bytes) in->data[at] = byte;
        break;
    case 3:
        insert(in, at, &byte, 1);
        break;
    case 4:
        erase(in, at, 1);
        break;
    case 5:
        erase(in, at, short_length(r));
        break;
    case 6:
        insert_stretch(in, at, in, r);
        break;
    case 7:
        insert_stretch(in, at, other, r);
        break;
    default:
        in->bytes = at;
        break;
    }
}

/* ---- text ------------------------------------------------------------------------------ */

/* Another number instead of the digits at or behind a place. */
static void change_number(mutate_input *in, random_stream *r)
{
    static const char *const numbers[] = { "0",
                                           "1",
                                           "2",
                                           "7",
                                           "00",
                                           "4294967293",
                                           "4294967294",
                                           "4294967295",
                                           "4294967296",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "99999999",
                                           "100000000",
                                           "?",
                                           "-1",
                                           "1000000000000000000",
                                           "65536",
                                           "255",
                                           "3000000" };
    size_t at = place(in, r), end;
    while (at < in->bytes && (in->data[at] < '0' || in->data[at] > '9')) at++;
    for (end = at; end < in->bytes && in->data[end] >= '0' && in->data[end] <= '9';)
        end++;
    if (at == end) return;
    const char *number = numbers[random_below(r, COUNT_OF(numbers))];
    char near[24] = "";
    if (end - at < 19 && random_below(r, 2)) {
        memcpy(near, in->data + at, end - at);
        snprintf(near, sizeof near, "%llu",
                 strtoull(near, NULL, 10) + 1 - (unsigned long long)random_below(r, 3));
        number = near;
    }
    erase(in, at, end - at);
    insert(in, at, number, strlen(number));
}

static void insert_token(mutate_input *in, random_stream *r)
{
    static const char *const tokens[] = { "(",  ")",  ",",      "\"",        "\n", "\r\n",
                                          " ",  "\t", "\"\"",   "des (",     "i",  "tau",
                                          "\r", "/",  "\x04\n", "(0,a,1)\n", ", ", "\",",
                                          "\f", "\v", "\x7f",   "\xc3\xa9",  "L0", "?" };
    const char *token = tokens[random_below(r, COUNT_OF(tokens))];
    insert(in, place(in, r), token, strlen(token));
}

/* A line at random: where it begins, and its length with the newline. */
static size_t pick_line(const mutate_input *in, random_stream *r, size_t *bytes)
{
    size_t at = place(in, r), end = at;
    while (at > 0 && in->data[at - 1] != '\n') at--;
    while (end < in->bytes && in->data[end] != '\n') end++;
    *bytes = end - at + (end < in->bytes);
    return at;
}

/* Take a line out and, perhaps, put it in elsewhere; or leave it and double it. */
static void change_line(mutate_input *in, random_stream *r)
{
    char line[512];
    size_t bytes, at = pick_line(in, r, &bytes), unused;
    if (bytes > sizeof line) return;
    memcpy(line, in->data + at, bytes);
    uint64_t what = random_below(r, 3);
    if (what != 0) erase(in, at, bytes);
    if (what != 1) insert(in, pick_line(in, r, &unused), line, bytes);
}

void mutate_text(mutate_input *in, const mutate_input *other, random_stream *r)
{
    switch (random_below(r, 8)) {
    case 0:
    case 1:
    case 2:
        change_number(in, r);
        break;
    case 3:
    case 4:
        insert_token(in, r);
        break;
    case 5:
        change_line(in, r);
        break;
    default:
        mutate_bytes(in, other, r);
        break;
    }
}

/* ---- binary ------------------------------------------------------------------------------ */

void mutate_word(mutate_input *in, size_t from, size_t bytes, random_stream *r)
{
    static const uint64_t words[] = { 0,          1,
                                      255,        256,
                                      65535,      65536,
                                      UINT32_MAX, UINT32_MAX - 1,
                                      UINT64_MAX, UINT64_MAX / 2 };
    size_t width = (size_t)1 << random_below(r, 4);
    if (from > in->bytes) return;
    if (bytes > in->bytes - from) bytes = in->bytes - from;
    if (bytes < width) return;
    size_t at = from + (size_t)random_below(r, bytes / width) * width;
    uint64_t word = 0;
    memcpy(&word, in->data + at, width);
    if (random_below(r, 3) == 0) word = words[random_below(r, COUNT_OF(words))];
    else word += random_below(r, 9) - 4;
    memcpy(in->data + at, &word, width);
}
