#!/bin/sh
# document-004.sh BYTES: document 004 on a RAM disk with direct access. /proc/dax_hole has how
# often dax_load_hole() ran and how long it took.
set -e
mkdir -p /dax
dd if=/dax.ext2 of=/dev/ram0 bs=4096 2>/dev/null
mount -t ext2 -o dax /dev/ram0 /dax
document-004 /dax/data "$1"
while read -r name value; do
  echo "RESULT id=L4.$name run=holes class=figure value=$value unit=$name what=dax_load_hole"
done </proc/dax_hole
