#!/usr/bin/env bash
# compiler.sh TCC MAKE OUT ZIG: what a build on the machine needs. Of Debian's sources TCC and MAKE
# (archives) it makes OUT/tcc, a C compiler for i386, and OUT/bmake; OUT/files has what they build,
# a part of the C library that comes with ZIG (a command); OUT/initramfs.list has lines for both.
set -euo pipefail
tcc=$(realpath "$1") make=$(realpath "$2") out=$(realpath -m "$3") zig=$4
here=$(realpath "$(dirname "$0")")
cc="$zig cc -target riscv32-linux-musl -mcpu=generic_rv32+m+a -static -O2 -s -w -fno-sanitize=all"
COMPILED="ctype/isw[a-l]*.c" # eight small files, a process each
COPIED="ctype thread time" # with the programs: read, it is more pages than kmap() has slots

echo "compiler: $(basename "$tcc"), $(basename "$make")"
rm -rf "$out"/{tcc,make}-source "$out/files" && mkdir -p "$out"/{tcc,make}-source "$out/files"
tar -xf "$tcc" -C "$out/tcc-source"
tar -xf "$make" -C "$out/make-source" --strip-components=1

echo "#define TCC_VERSION \"$(cat "$out/tcc-source/VERSION")\"" >"$out/tcc-source/config.h"
$cc -std=gnu11 -DTCC_TARGET_I386 -DONE_SOURCE=1 -DCONFIG_TCC_STATIC -DCONFIG_TCCDIR='"/lib/tcc"' \
  -I"$out/tcc-source" -o "$out/tcc" "$out/tcc-source/tcc.c"

cd "$out/make-source"
CC=$cc ./configure --host=riscv32-linux-musl >"$out/bmake.log" 2>&1 ||
  { tail "$out/bmake.log" >&2 && exit 1; }
$cc -DHAVE_CONFIG_H -DMAKE_NATIVE -DBMAKE_PATH_MAX=1024 -DMAKE_VERSION='"20200710"' \
  -DMACHINE='"granule"' -DMACHINE_ARCH='"riscv32"' -D_PATH_DEFSYSPATH='"/share/mk"' \
  -I. -Imissing -o "$out/bmake" \
  {main,job,arch,buf,compat,cond,dir,for,getopt,hash,make,make_malloc,metachar,parse}.c \
  {sigcompat,str,strlist,suff,targ,trace,var,util,stresep}.c lst.lib/*.c

# The library's source, with its headers for i386.
libc=$($zig env | sed -n 's/.*\.lib_dir = "\(.*\)",/\1/p')/libc
mkdir -p "$out"/files/{musl/src,build,lib/tcc}
for folder in include internal $COPIED; do
  cp -r "$libc/musl/src/$folder" "$out/files/musl/src/"
done
cp -r "$libc/musl/include" "$out/files/musl/"
cp -r "$out/tcc-source/include" "$out/files/lib/tcc/"
cp -r "$libc/include/x86-linux-musl" "$out/files/musl/i386"

cp "$here/document/build.mk" "$out/files/build/Makefile"
cd "$out/files/musl/src"
{
  echo "PARTS = $(ls $COMPILED | tr '\n' ' ')"
  echo "COPIED = $COPIED"
} >"$out/files/build/parts.mk"

# Folders before what is in them.
cd "$out/files"
find -- * -type d -printf 'dir /%p 0755 0 0\n' | sort >"$out/initramfs.list"
find -- * -type f -printf "file /%p $out/files/%p 0644 0 0\n" >>"$out/initramfs.list"
