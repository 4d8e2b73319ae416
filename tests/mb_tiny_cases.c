/*
 * The cases that catch known mistakes of the algorithm as it was published, and of repairs of it, by
 * their letters.  Left out are those of features that this solver has not: vertices that are suspended
 * (y), requests that are written off (z, E).
 */
#include "tests/mb_tiny.h"

static const mb_tiny_case cases[] = {
    { "a", "000", "block nu B0 is X0 = X1 and X2  X1 = true  X2 = false end block",
      false },
    { "b", "0", "block mu B0 is X0 = true end block", true },
    { "c", "000", "block mu B0 is X0 = X1 and X2  X1 = true  X2 = true end block", true },
    { "d", "0", "block nu B0 is X0 = false end block", false },
    { "e", "00", "block nu B0 is X0 = X1  X1 = false end block", false },
    { "f", "00000",
      "block mu B0 is X0 = X1 or X2  X1 = X1_1 and X0_1  X2 = X0 end block "
      "block mu B1 is X0 = true  X1 = false end block",
      false },
    { "g", "000",
      "block nu B0 is X0 = X1 and X0  X1 = X0_1 end block "
      "block mu B1 is X0 = true end block",
      true },
    { "h", "000",
      "block mu B0 is X0 = X1 or X0_1 or X0  X1 = X0_1 end block "
      "block mu B1 is X0 = false end block",
      false },
    { "i", "0000",
      "block nu B0 is X0 = X1_1 and X1  X1 = X0_1 end block "
      "block nu B1 is X0 = false  X1 = X1 end block",
      false },
    { "j", "00", "block mu B0 is X0 = X0_1 end block block nu B1 is X0 = X0 end block",
      true },
    { "k", "00000",
      "block mu B0 is X0 = X0_1 and X1  X1 = X1_1 end block "
      "block nu B1 is X0 = X2  X1 = false  X2 = true end block",
      false },
    { "l", "00101",
      "block mu B0 is X0 = X0_1 or X1  X1 = X2_1 end block "
      "block mu B1 is X0 = X0  X1 = true  X2 = X1 end block",
      true },
    { "m", "0000",
      "block nu B0 is X0 = X0_1 and X1  X1 = X1_1 end block "
      "block nu B1 is X0 = X0  X1 = false end block",
      false },
    { "n", "00", "block mu B0 is X0 = X1 and X1  X1 = true end block", true },
    { "o", "00", "block mu B0 is X0 = X0_1 end block block nu B1 is X0 = true end block",
      true },
    { "p", "010", "block mu B0 is X0 = X1  X1 = X2 or X0  X2 = true end block", true },
    { "q", "0000101",
      "block mu B0 is X0 = X0_1 or X1  X1 = X1_1 end block "
      "block mu B1 is X0 = X0  X1 = X2  X2 = X3 or X4  X3 = X3  X4 = true end block",
      true },
    { "r", "01", "block nu B0 is X0 = X0_1 end block block mu B1 is X0 = X0 end block",
      false },
    { "s", "0011",
      "block mu B0 is X0 = X1  X1 = X1_1 or X0_1 end block "
      "block mu B1 is X0 = false  X1 = X1 end block",
      false },
    { "t", "101", "block mu B0 is X0 = X1  X1 = X0 or X2  X2 = false end block", false },
    { "u", "0010000",
      "block mu B0 is X0 = X0_1 and X1  X1 = X1_1 and X2  X2 = X2_1 end block "
      "block nu B1 is X0 = X3  X1 = X3  X2 = false  X3 = true end block",
      false },
    { "v", "010",
      "block mu B0 is X0 = X1 or X0_1  X1 = X0_1 end block "
      "block nu B1 is X0 = X0 end block",
      true },
    { "w", "10", "block nu B0 is X0 = X1  X1 = X1 end block", true },
    { "x", "00000",
      "block mu B0 is X0 = X1 or X4  X1 = X2  X2 = X4 or X3  X3 = true  X4 = false "
      "end block",
      true },
    { "A", "0011",
      "block mu B0 is X0 = X1 or X0_1  X1 = X1_1 end block "
      "block nu B1 is X0 = X0 and X1  X1 = false end block",
      false },
    { "B", "00", "block nu B0 is X0 = X1 or X0  X1 = false end block", true },
    { "C", "00", "block mu B0 is X0 = X0 or X1  X1 = true end block", true },
    { "D", "00", "block mu B0 is X0 = X0 and X1  X1 = true end block", false },
    { "stable requester", "000000", /* of a request that is still put off */
      "block mu B0 is X0 = X0_1 and X2_1 and X0_2 end block "
      "block nu B1 is X0 = X1_2 or X1  X1 = true  X2 = X2 end block "
      "block nu B2 is X0 = X0  X1 = X1 end block",
      true },
    { "still busy",
      "001111", /* when the question comes, with a request after the report */
      "block mu B0 is X0 = X0_1 or X1  X1 = X1_1 end block "
      "block mu B1 is X0 = X0  X1 = X2  X2 = X3  X3 = true end block",
      true },
    { "w over three", "012", "block nu B0 is X0 = X1  X1 = X2  X2 = X2 end block", true },
};

/* Where x3,1 and x2,2 lead and the signs of the later blocks stand in the figure, not in the text. */
const mb_tiny_case mb_tiny_figure_2 = {
    "figure 2", "001222",
    "block nu B0 is X0 = X1 and X0_1  X1 = X2 and X0_2  X2 = X2 end block "
    "block mu B1 is X0 = X0_2 or X1  X1 = X0 end block "
    "block mu B2 is X0 = false end block",
    false
};

const mb_tiny_case *mb_tiny_cases(size_t *count)
{
    *count = COUNT_OF(cases);
    return cases;
}
