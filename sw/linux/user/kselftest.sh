#!/bin/sh
# /bin/kselftest: the kernel's own self-tests (tools/testing/selftests) that fit this machine, one
# line each. Exit status 1 if one fails; a test that finds its kernel option missing says skip (4).
failed=0
for test in /kselftest/*; do
  "$test" >/tmp/log 2>&1
  status=$?
  case $status in
    0) verdict=passed ;;
    4) verdict=skipped ;;
    *) verdict=FAILED failed=1 ;;
  esac
  echo "kselftest ${test##*/}: $verdict, $(grep -c '^ok\|\[OK\]' /tmp/log) checks"
  [ $verdict = passed ] || cat /tmp/log
done
exit $failed
