/* Components: each file is read once, its labels become the network's. */
#include "models/lts_file.h"
#include "models/network_compile.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

void network_component_close(network_compiler *c)
{
    for (size_t i = 0; i < c->file.count; i++) {
        network_file *f = &c->file.at[i];
        mem_put(c->m, f->path, strlen(f->path) + 1);
        network_rows_close(&f->rows);
    }
    vec_release(c->m, &c->file);
    vec_release(c->m, &c->component);
}

/* ---- labels ------------------------------------------------------------------------------ */

static bool same_folded(const char *text, size_t bytes, const exp_text *name)
{
    return name->at && bytes == name->bytes && strncasecmp(text, name->at, bytes) == 0;
}

/* Where case is ignored all is upper case, but for the gate of termination and the hidden
   label, which are what the language calls them. */
static int put_folded(network_compiler *c, const char *text, size_t bytes, label_id *out,
                      err *e)
{
    const exp_net *net = c->net;
    if (same_folded(text, bytes, &net->hidden)) {
        *out = network_hidden(c);
        return 0;
    }
    if (vec_reserve(c->m, &c->text, bytes + 1, e) != 0) return (int)e->code;
    for (size_t i = 0; i < bytes; i++)
        c->text.at[i] = (char)toupper((unsigned char)text[i]);
    size_t gate = label_gate(text, bytes);
    if (same_folded(text, gate, &net->termination))
        memcpy(c->text.at, net->termination.at, gate);
    return label_table_put(c->labels, c->text.at, bytes, out, e);
}

/* The network's number of each label of a file, in an array of its own. */
static label_id *map_labels(network_compiler *c, const lts *g, err *e)
{
    label_id count = label_table_count(g->labels);
    label_id *map = mem_get_array(c->m, count, sizeof *map, e);
    for (label_id l = 0; map && l < count && e->code == ERR_NONE; l++) {
        size_t bytes;
        const char *text = label_table_text(g->labels, l, &bytes);
        if (l == label_table_hidden(g->labels)) map[l] = network_hidden(c);
        else if (c->net->fold) put_folded(c, text, bytes, &map[l], e);
        else label_table_put(c->labels, text, bytes, &map[l], e);
    }
    return map;
}

static int sort_file(network_compiler *c, network_file *f, const lts *g, err *e)
{
    label_id *map = map_labels(c, g, e);
    if (e->code == ERR_NONE)
        network_rows_open(&f->rows, g, map, label_table_count(c->labels), e);
    mem_put(c->m, map, label_table_count(g->labels) * sizeof *map);
    return (int)e->code;
}

/* ---- files ------------------------------------------------------------------------------- */

/* Names of the hidden label: those of the command line, and that of the language. */
static int read_hiding(network_compiler *c, network_file *f, const char **names, err *e)
{
    load_options o = *c->options;
    for (size_t i = 0; i < o.hidden_count; i++) names[i] = o.hidden[i];
    names[o.hidden_count] = c->net->hidden.at;
    o.hidden = names;
    o.hidden_count++;
    lts g;
    if (lts_file_read(&g, f->path, &o, e) == 0) sort_file(c, f, &g, e);
    for (size_t i = 0; e->code == ERR_NONE && i < c->options->hidden_count; i++)
        if (label_table_met(g.labels, names[i])) c->met[i] = true;
    lts_close(&g);
    return (int)e->code;
}

static int read_file(network_compiler *c, network_file *f, err *e)
{
    size_t count = c->options->hidden_count + 1;
    const char **names = mem_get_array(c->m, count, sizeof *names, e);
    if (names) read_hiding(c, f, names, e);
    mem_put(c->m, names, count * sizeof *names);
    return (int)e->code;
}

static int add_file(network_compiler *c, const exp_text *name, err *e)
{
    network_file f = { .path = mem_get(c->m, name->bytes + 1, e) };
    if (f.path == NULL) return (int)e->code;
    memcpy(f.path, name->at, name->bytes);
    if (vec_push(c->m, &c->file, f, e) == 0)
        return read_file(c, &c->file.at[c->file.count - 1], e);
    mem_put(c->m, f.path, name->bytes + 1);
    return (int)e->code;
}

/* The number of a file, read if it is new. */
static int file_of(network_compiler *c, const exp_text *name, uint32_t *out, err *e)
{
    *out = (uint32_t)c->file.count;
    for (uint32_t i = 0; i < c->file.count; i++)
        if (strcmp(c->file.at[i].path, name->at) == 0) *out = i;
    return *out < c->file.count ? 0 : add_file(c, name, e);
}

int network_component(network_compiler *c, const exp_node *n, network_set *out, err *e)
{
    uint32_t file, number = (uint32_t)c->component.count;
    if (file_of(c, &n->name, &file, e) != 0 ||
        vec_push(c->m, &c->component, file, e) != 0)
        return (int)e->code;
    const network_rows *r = &c->file.at[file].rows;
    for (uint32_t l = 0; l < r->labels && e->code == ERR_NONE; l++) {
        network_vector v = { .label = r->text[l],
                             .first = (uint32_t)c->part.count,
                             .parts = 1 };
        network_part p = { number, l };
        if (vec_push(c->m, &c->part, p, e) == 0) network_set_push(c, out, &v, n->at, e);
    }
    return (int)e->code;
}
