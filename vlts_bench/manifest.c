/*
 * manifest - the forty rows, one line each.
 * Source  The table of the VLTS benchmark suite, cadp.inria.fr/resources/vlts.
 */
#include "vlts_bench/manifest.h"

#include <stdio.h>
#include <string.h>

#define ROW(label, n, m, tau, names, least, most, dead, live, det) \
    { label, { n, m, tau, names, least, most, dead, live, det } },
#define YES true
#define NO  false

// clang-format off
const manifest_row manifest[MANIFEST_ROWS] = {
    /*  name                   states transitions       tau labels branching dead live deterministic */
    ROW("vasy_0_1",               289,       1224,         0,      2,   4,    8, NO , NO , NO)
    ROW("cwi_1_2",               1952,       2387,      2215,     26,   1,   16, NO , NO , NO)
    ROW("vasy_1_4",              1183,       4464,      1213,      6,   2,    5, NO , NO , NO)
    ROW("cwi_3_14",              3996,      14552,     14551,      2,   0,    6, YES, NO , NO)
    ROW("vasy_5_9",              5486,       9676,      2094,     31,   0,    6, YES, NO , NO)
    ROW("vasy_8_24",             8879,      24411,      8534,     11,   1,    5, NO , NO , NO)
    ROW("vasy_8_38",             8921,      38424,      2916,     81,   0,   10, YES, NO , YES)
    ROW("vasy_10_56",           10849,      56156,      2680,     12,   4,    6, NO , NO , YES)
    ROW("vasy_18_73",           18746,      73043,     39217,     17,   1,    6, NO , NO , NO)
    ROW("vasy_25_25",           25217,      25216,         0,  25216,   0,    1, YES, NO , YES)
    ROW("vasy_40_60",           40006,      60007,     20003,      3,   1,    2, NO , NO , YES)
    ROW("vasy_52_318",          52268,     318126,    130752,     17,   1,   17, NO , YES, NO)
    ROW("vasy_65_2621",         65537,    2621480,         0,     72,  40,   40, NO , NO , YES)
    ROW("vasy_66_1302",         66929,    1302664,    117866,     81,   2,   42, NO , NO , NO)
    ROW("vasy_69_520",          69754,     520633,         1,    135,   0,   35, YES, NO , NO)
    ROW("vasy_83_325",          83436,     325584,     45696,    211,   0,   96, YES, NO , NO)
    ROW("vasy_116_368",        116456,     368569,    263296,     21,   1,    8, NO , NO , NO)
    ROW("cwi_142_925",         142472,     925429,    862298,      7,   0,    9, YES, NO , NO)
    ROW("vasy_157_297",        157604,     297000,     31798,    235,   0,   48, YES, NO , YES)
    ROW("vasy_164_1619",       164865,    1619204,    109910,     37,   1,   16, NO , NO , NO)
    ROW("vasy_166_651",        166464,     651168,     91392,    211,   0,   96, YES, NO , NO)
    ROW("cwi_214_684",         214202,     684419,    550611,      5,   0,    7, YES, YES, NO)
    ROW("cwi_371_641",         371804,     641565,    445600,     61,   1,   25, NO , YES, NO)
    ROW("vasy_386_1171",       386496,    1171872,    122976,     73,   1,   38, NO , NO , NO)
    ROW("cwi_566_3984",        566640,    3984157,   3666614,     11,   0,   10, YES, NO , NO)
    ROW("vasy_574_13561",      574057,   13561040,         0,    141,   1,   64, NO , NO , YES)
    ROW("vasy_720_390",        720247,     390999,         1,     49,   0,   39, YES, NO , YES)
    ROW("vasy_1112_5290",     1112490,    5290860,         0,     23,   3,    6, NO , NO , YES)
    ROW("cwi_2165_8723",      2165446,    8723465,   3830225,     26,   1,   14, NO , YES, NO)
    ROW("cwi_2416_17605",     2416632,   17605592,  17490904,     15,   0,   14, YES, YES, NO)
    ROW("vasy_2581_11442",    2581374,   11442382,   2508518,    223,   0,   97, YES, NO , NO)
    ROW("vasy_4220_13944",    4220790,   13944372,   2546649,    223,   0,   97, YES, NO , NO)
    ROW("vasy_4338_15666",    4338672,   15666588,   3127116,    223,   0,   97, YES, NO , NO)
    ROW("vasy_6020_19353",    6020550,   19353474,  17526144,    511,   2,  260, NO , YES, NO)
    ROW("vasy_6120_11031",    6120718,   11031292,   3152976,    125,   0,   16, YES, NO , NO)
    ROW("cwi_7838_59101",     7838608,   59101007,  22842122,     20,   3,   13, NO , YES, NO)
    ROW("vasy_8082_42933",    8082905,   42933110,   2535944,    211,   0,   48, YES, NO , YES)
    ROW("vasy_11026_24660",  11026932,   24660513,   2748559,    119,   0,   13, YES, NO , NO)
    ROW("vasy_12323_27667",  12323703,   27667803,   3153502,    119,   0,   13, YES, NO , NO)
    ROW("cwi_33949_165318",  33949609,  165318222,  74133306,     31,   1,   17, NO , YES, NO)
};
// clang-format on

const manifest_row *manifest_find(const char *name)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        if (strcmp(manifest[i].name, name) == 0) return &manifest[i];
    return NULL;
}

unsigned manifest_compare(const manifest_facts *published, const manifest_facts *found,
                          char names[MANIFEST_DIFFERENCES_BYTES])
{
    unsigned count = 0;
    size_t used = 0;
    names[0] = '\0';
#define MANIFEST_COMPARE(column)                                                  \
    if (published->column != found->column)                                       \
        used += (size_t)snprintf(names + used, MANIFEST_DIFFERENCES_BYTES - used, \
                                 "%s%s", count++ ? " " : "", #column);
    MANIFEST_COLUMNS(MANIFEST_COMPARE)
#undef MANIFEST_COMPARE
    return count;
}
