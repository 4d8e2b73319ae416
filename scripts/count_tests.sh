#!/usr/bin/env bash
# count_tests.sh REPORT : a line "passed NAME", "failed NAME" or "skipped NAME" for each test of a
# JUnit report by ctest.  What could not be started at all has failed, though ctest's own
# counts call it skipped.
set -eu
awk '
function settle() { if (name != "") print verdict, name; name = "" }
function attribute(key) {
    return match($0, " " key "=\"[^\"]*\"") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4) : ""
}
/^[ \t]*<testcase / {
    settle()
    name = attribute("name")
    status = attribute("status")
    verdict = status == "run" ? "passed" : status == "disabled" ? "skipped" : "failed"
}
/^[ \t]*<skipped message="SKIP_/ { verdict = "skipped" }
END { settle() }' "$1"
