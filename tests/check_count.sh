#!/usr/bin/env bash
# check_count.sh ROOT : does scripts/count_tests.sh count every way a test can end?
set -eu
root=$(cd "$1" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(x NONE)
enable_testing()
add_test(NAME good COMMAND true)
add_test(NAME bad COMMAND false)
add_test(NAME crash COMMAND sh -c "kill -SEGV $$")
add_test(NAME slow COMMAND sleep 60)
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(NAME absent COMMAND /nonexistent/program)
add_test(NAME skip COMMAND sh -c "echo '<testcase name=x status=run>'; exit 77")
set_tests_properties(skip PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME off COMMAND true)
set_tests_properties(off PROPERTIES DISABLED ON)
add_test(NAME after_bad COMMAND true)
set_tests_properties(bad PROPERTIES FIXTURES_SETUP f)
set_tests_properties(after_bad PROPERTIES FIXTURES_REQUIRED f)
END
cmake -S . -B b -G Ninja >log 2>&1 || { cat log; exit 1; }
(cd b && ctest --output-junit ../report.xml >../log 2>&1) || true
found=$("$root/scripts/count_tests.sh" report.xml | sort)
wanted='failed absent
failed after_bad
failed bad
failed crash
failed slow
passed good
skipped off
skipped skip'
if [[ $found != "$wanted" ]]; then
    diff <(echo "$wanted") <(echo "$found")
    exit 1
fi
echo "every outcome is counted"
