#!/usr/bin/env bash
# cc.sh: the C compiler of busybox's build, which is the program $ZIG_CC without the options that it
# does not know: warnings of GNU ld, and its map.
arguments=()
for argument; do
  case $argument in
    -Wl,--warn-common | -Wl,--verbose | -Wl,-Map,*) ;;
    *) arguments+=("$argument") ;;
  esac
done
# shellcheck disable=SC2086 # a command and its first arguments
exec $ZIG_CC "${arguments[@]}"
