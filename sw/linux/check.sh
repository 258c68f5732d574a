#!/usr/bin/env bash
# check.sh CONFIG FRAGMENT...: each line of the fragments must be what the final configuration of
# Linux has. Kconfig drops an option without a word when one that it depends on is off.
set -euo pipefail
config=$1
shift
wrong=0
complain() {
  echo "linux: $*" >&2
  wrong=1
}

for fragment in "$@"; do
  while read -r line; do
    if [[ $line =~ ^'# '(CONFIG_[A-Z0-9_]+)' is not set'$ ]]; then
      ! grep -q "^${BASH_REMATCH[1]}=" "$config" ||
        complain "$fragment: ${BASH_REMATCH[1]} is to be off, but something selects it"
    elif [[ $line =~ ^CONFIG_ ]]; then
      grep -qxF "$line" "$config" ||
        complain "$fragment: '$line' was dropped; switch on what it depends on, or take it out"
    elif [[ -n $line && $line != '#'* ]]; then
      complain "$fragment: '$line' is no line of a configuration"
    fi
  done <"$fragment"
done
exit $wrong
