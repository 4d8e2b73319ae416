#include "lang/plts_layout.h"

#include "core/hash.h"
#include "core/label_table.h"
#include "lang/plts.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum { TABLE_AT = 64, TABLE_ENTRY = 24, FILE_BYTES_AT = 184, SUM_AT = 248 };

static const uint8_t magic[PLTS_MAGIC_BYTES] = { 0x89, 'P',  'L',  'T',
                                                 'S',  '\r', '\n', 0x1a };

/* Far more than any disk holds, and sums of a few such numbers do not overflow. */
static const uint64_t count_max = (uint64_t)1 << 56;

const char *plts_section_name(plts_section_id id)
{
#define PLTS_NAME(name, doc) [PLTS_##name] = #name,
    static const char *const names[] = { PLTS_SECTIONS(PLTS_NAME) };
#undef PLTS_NAME
    return names[id];
}

static void put_le(uint8_t *at, unsigned bytes, uint64_t x)
{
    for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(x >> 8 * i);
}

static uint64_t get_le(const uint8_t *at, unsigned bytes)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < bytes; i++) x |= (uint64_t)at[i] << 8 * i;
    return x;
}

static uint64_t pieces_of(uint64_t bytes)
{
    return (bytes + PLTS_PIECE - 1) / PLTS_PIECE;
}

void plts_layout_plan(plts_layout *l)
{
    l->section[PLTS_FIRST].bytes = (l->states + 1) * sizeof(uint64_t);
    l->section[PLTS_TARGET].bytes = l->transitions * sizeof(state_id);
    l->section[PLTS_LABEL].bytes = l->transitions * l->label_bytes;
    l->section[PLTS_NAMES].bytes = l->names_bytes;
    uint64_t end = PLTS_HEADER_BYTES, piece = 0;
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++) {
        plts_section *s = &l->section[i];
        if (i == PLTS_SUMS) s->bytes = piece * sizeof(uint64_t);
        s->offset = (end + PLTS_PAGE - 1) / PLTS_PAGE * PLTS_PAGE;
        s->piece = piece;
        end = s->offset + s->bytes;
        if (i != PLTS_SUMS) piece += pieces_of(s->bytes);
    }
    l->pieces = piece;
    l->file_bytes = end;
}

void plts_layout_encode(const plts_layout *l, uint8_t header[PLTS_HEADER_BYTES])
{
    memset(header, 0, PLTS_HEADER_BYTES);
    memcpy(header, magic, sizeof magic);
    put_le(header + 8, 4, PLTS_VERSION);
    put_le(header + 12, 4, PLTS_HEADER_BYTES);
    put_le(header + 16, 8, l->states);
    put_le(header + 24, 8, l->initial);
    put_le(header + 32, 8, l->transitions);
    put_le(header + 40, 8, l->labels);
    put_le(header + 48, 4, l->label_bytes);
    put_le(header + 56, 8, PLTS_PIECE);
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++) {
        uint8_t *entry = header + TABLE_AT + TABLE_ENTRY * i;
        put_le(entry, 8, l->section[i].offset);
        put_le(entry + 8, 8, l->section[i].bytes);
        put_le(entry + 16, 8, l->section[i].sum);
    }
    put_le(header + FILE_BYTES_AT, 8, l->file_bytes);
    put_le(header + SUM_AT, 8, hash_file(header, SUM_AT));
}

bool plts_layout_is(const uint8_t *first_bytes)
{
    return memcmp(first_bytes, magic, sizeof magic) == 0;
}

bool plts_layout_is_line(const char *line, size_t bytes)
{
    const uint8_t *end = memchr(magic, '\n', sizeof magic);
    return bytes == (size_t)(end - magic) && memcmp(line, magic, bytes) == 0;
}

/* Magic, version and checksum: is this a header that we can read at all? */
static int check_header(const uint8_t *header, size_t have, const char *path, err *e)
{
    if (have < PLTS_MAGIC_BYTES || !plts_layout_is(header))
        return err_set(e, ERR_INPUT, "%s: is not a .plts file", path);
    if (have < PLTS_HEADER_BYTES)
        return err_set(e, ERR_INPUT, "%s: truncated: the file ends inside its header",
                       path);
    uint64_t version = get_le(header + 8, 4);
    if (version > PLTS_VERSION)
        return err_set(e, ERR_INPUT,
                       "%s: has version %" PRIu64 " of the .plts format, this program "
                       "reads versions up to %d; a newer bespoke is needed",
                       path, version, PLTS_VERSION);
    if (get_le(header + SUM_AT, 8) != hash_file(header, SUM_AT))
        return err_set(e, ERR_INPUT,
                       "%s: damaged: the header does not match its checksum", path);
    return 0;
}

/* The six numbers, each in its range. */
static bool get_counts(plts_layout *l, const uint8_t *header)
{
    l->states = get_le(header + 16, 8);
    l->initial = get_le(header + 24, 8);
    l->transitions = get_le(header + 32, 8);
    l->labels = get_le(header + 40, 8);
    l->label_bytes = (unsigned)get_le(header + 48, 4);
    l->names_bytes = get_le(header + TABLE_AT + TABLE_ENTRY * PLTS_NAMES + 8, 8);
    return get_le(header + 8, 4) == PLTS_VERSION &&
           get_le(header + 12, 4) == PLTS_HEADER_BYTES && get_le(header + 52, 4) == 0 &&
           get_le(header + 56, 8) == PLTS_PIECE && l->states <= STATES_MAX &&
           l->initial < l->states && l->transitions < count_max &&
           l->labels <= LABELS_MAX &&
           l->label_bytes == label_table_width((label_id)l->labels) &&
           l->names_bytes < count_max && l->names_bytes / sizeof(uint64_t) >= l->labels;
}

/* The table must say what follows from the counts. */
static bool get_table(plts_layout *l, const uint8_t *header)
{
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++) {
        const uint8_t *entry = header + TABLE_AT + TABLE_ENTRY * i;
        if (get_le(entry, 8) != l->section[i].offset ||
            get_le(entry + 8, 8) != l->section[i].bytes)
            return false;
        l->section[i].sum = get_le(entry + 16, 8);
    }
    return get_le(header + FILE_BYTES_AT, 8) == l->file_bytes;
}

static int check_length(const plts_layout *l, uint64_t file_bytes, const char *path,
                        err *e)
{
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++)
        if (l->section[i].offset + l->section[i].bytes > file_bytes)
            return err_set(e, ERR_INPUT,
                           "%s: truncated: the %s section ends at byte %" PRIu64
                           ", the file at %" PRIu64,
                           path, plts_section_name(i),
                           l->section[i].offset + l->section[i].bytes, file_bytes);
    if (file_bytes == l->file_bytes) return 0;
    return err_set(e, ERR_INPUT,
                   "%s: damaged: %" PRIu64 " bytes follow the SUMS section, the last",
                   path, file_bytes - l->file_bytes);
}

int plts_layout_decode(plts_layout *l, const uint8_t *header, size_t have,
                       uint64_t file_bytes, const char *path, err *e)
{
    *l = (plts_layout){ 0 };
    if (check_header(header, have, path, e) != 0) return (int)e->code;
    if (!get_counts(l, header))
        return err_set(e, ERR_INPUT, "%s: damaged: a number in the header is impossible",
                       path);
    plts_layout_plan(l);
    if (!get_table(l, header))
        return err_set(e, ERR_INPUT,
                       "%s: damaged: the header's section table contradicts its counts",
                       path);
    return check_length(l, file_bytes, path, e);
}

plts_piece plts_layout_piece(const plts_layout *l, uint64_t piece)
{
    assert(piece < l->pieces);
    unsigned i = PLTS_NAMES;
    while (l->section[i].piece > piece) i--;
    const plts_section *s = &l->section[i];
    uint64_t start = (piece - s->piece) * PLTS_PIECE, rest = s->bytes - start;
    return (plts_piece){ .section = i,
                         .start = start,
                         .offset = s->offset + start,
                         .bytes = rest < PLTS_PIECE ? rest : PLTS_PIECE };
}
