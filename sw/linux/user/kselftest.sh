#!/bin/sh
# /bin/kselftest: the kernel's own self-tests (tools/testing/selftests) that fit this machine, one
# line each: exit status, how many checks passed, and the names of those that did not.
for test in /kselftest/*; do
  "$test" >/tmp/log 2>&1
  echo "kselftest ${test##*/}: status $?, passed $(grep -c '\[OK\]$' /tmp/log)," \
    failed: $(sed -n 's/^ *[0-9]* \([a-z0-9_]*\) .*\[FAIL\]$/\1/p' /tmp/log)
done
