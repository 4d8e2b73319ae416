#include "lang/load_options.h"

#include <omp.h>

int load_options_threads(const load_options *o)
{
    return o->threads > 0 ? o->threads : omp_get_num_procs();
}

size_t load_options_block(const load_options *o)
{
    enum { BLOCK_BYTES = 256 << 10 };
    return o->block_bytes > 0 ? o->block_bytes : BLOCK_BYTES;
}

int load_options_hide(const load_options *o, label_table *labels, err *e)
{
    for (size_t i = 0; i < o->hidden_count; i++)
        if (label_table_hide(labels, o->hidden[i], e) != 0) return (int)e->code;
    return 0;
}
