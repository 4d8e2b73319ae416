#include "lang/load_options.h"

#include <omp.h>

int load_options_threads(const load_options *o)
{
    return o->threads > 0 ? o->threads : omp_get_num_procs();
}
