#include "dtd/dtd.h"

#include <string.h>

extern const dtd_class dtd_four_counter, dtd_ring, dtd_wave;

static const dtd_class *const detectors[] = { &dtd_four_counter, &dtd_ring, &dtd_wave };

const dtd_class *dtd_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(detectors); i++)
        if (strcmp(detectors[i]->name, name) == 0) return detectors[i];
    return NULL;
}

const dtd_class *const *dtd_list(size_t *count)
{
    *count = COUNT_OF(detectors);
    return detectors;
}
