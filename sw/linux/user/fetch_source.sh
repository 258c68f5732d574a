#!/usr/bin/env bash
# fetch_source.sh PACKAGE ARCHIVE SHA256 FOLDER: puts the upstream archive of a Debian source
# package into FOLDER. apt is asked for it with lists of its own, so that the machine's sources stay
# as they are and nobody needs to be root; the checksum is ours, so that the archive is always the
# same.
set -euo pipefail
package=$1 archive=$2 sha256=$3 folder=$(realpath -m "$4")

fail() {
  echo "$package: $*" >&2
  exit 1
}
good() { echo "$sha256  $folder/$archive" | sha256sum --check --status 2>/dev/null; }

good && exit 0
command -v apt-get >/dev/null || fail "apt-get is needed to get $archive; or put it into $folder"
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache,source}

# Where this machine has Debian's main packages from, there their sources are, too.
releases() {
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) main' \
    'Origin: Debian' 'Identifier: Packages' 'Component: main' | sort -u
}
[ -n "$(releases)" ] || [ "$(id -u)" != 0 ] || apt-get -qq update
releases >"$work/sources.list"
[ -s "$work/sources.list" ] ||
  fail "apt has no lists of Debian; run apt-get update as root, or put $archive into $folder"
apt=(apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
cd "$work/source"
"${apt[@]}" source --download-only "$package" >/dev/null || fail "apt cannot get its source"
[ -f "$archive" ] || fail "Debian's source is not $archive but $(echo ./*.tar.*)"
mv "$archive" "$folder/"
good || fail "$archive has another checksum than $sha256: it was changed, or is not complete"
