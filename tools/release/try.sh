#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the products that lie beside this script, and writes what works to the file `tried`: system, glibc, Python, products, and a
# checksum of results. tools/release/release.sh runs it in a bare root.
#
# usage: try.sh SYSTEM VERSION COMMIT PRODUCT...     a product is archive, wheel, deb or mpi (which is behind deb)
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
system=$1 version=$2 commit=$3
shift 3

product=nothing works=()
fail() { printf 'try: the %s on %s: %s\n' "$product" "$system" "$*" >&2; exit 1; }

# quiet COMMAND...: shows what the command prints only if it fails
quiet() { "$@" >/tmp/log 2>&1 || { cat /tmp/log; return 1; }; }

keep=(--set observe.waiting=true --set observe.keep=true)

# try_program PREFIX: the program that is installed there, with what belongs to it, is the first of the path and works
try_program() {
  [[ $(command -v headway) == "$1/bin/headway" ]] || fail "the program is not in $1/bin"
  local shown
  shown=$(headway --version)
  [[ $shown == "headway $version (${commit:0:12}, "*", portable"* ]] || fail "it says of itself: $shown"
  cd "$(mktemp -d)"
  headway new tree --out my.toml
  headway run my.toml --quiet --out out "${keep[@]}" >/dev/null
  headway view out -o view.html --quiet >/dev/null
  grep -q '<script' view.html || fail "the page of headway view has no script"
  # grep reads all, because a closed pipe would end the command before it.
  headway paper | grep '^obqa ' >/dev/null || fail "it does not find its papers"
  [[ $(man -w headway) == "$1"/share/man/man1/headway.1* ]] || fail "man finds no page, or another: $(man -w headway)"
  man headway | grep 'headway run' >/dev/null || fail "the man page does not show headway run"
  [[ -s $1/share/bash-completion/completions/headway ]] || fail "there is no completion for bash"
  sum=$(sha256sum <out/results.csv)
  [[ ${results:=$sum} == "$sum" ]] || fail "its results are not those of the product before"
}

try_archive() {
  local prefix=/opt/headway-$version-linux-x86_64 old=$PATH
  tar -xf "$here"/*-linux-x86_64.tar.gz -C /opt
  PATH=$prefix/bin:$PATH
  try_program "$prefix"
  # Every command of the first ten minutes shows what the page says, without a network.
  unshare --net python3 "$here/recording.py" --check "$prefix/bin" "$here/first-steps.md"
  [[ -s $prefix/share/doc/headway/copyright ]] || fail "there is no list of licences"
  # It needs nothing of the system: here is nothing else.
  mkdir -p /nothing/out
  cp "$prefix/bin/headway" my.toml /nothing
  chroot /nothing /headway run my.toml --quiet --out out/all "${keep[@]}" >/dev/null
  cmp out/results.csv /nothing/out/all/results.csv || fail "without a system it has other results"
  PATH=$old
}

try_wheel() {
  local old=$PATH
  python3 -m venv /environment
  quiet /environment/bin/pip install --no-index --find-links "$here" headway
  PATH=/environment/bin:$PATH
  try_program /environment
  python -c "
import headway, headway as hw
assert hw.__version__ == '$version', hw.__version__
spec = hw.Spec.read('my.toml').replaced({'observe.waiting': True, 'observe.keep': True})
hw.sweep(spec, out='of-python')
assert 'obqa' in hw.papers()
"
  cmp out/results.csv of-python/results.csv || fail "the module has other results"
  [[ -s $(find /environment -path '*headway-*.dist-info/licenses/packaging/copyright') ]] || fail "there is no list of licences"
  PATH=$old
}

try_deb() {
  quiet apt-get install -y --no-install-recommends "$here"/headway_*.deb
  try_program /usr
  [[ -s /usr/share/doc/headway/copyright ]] || fail "there is no list of licences"
}

try_mpi() {
  quiet apt-get install -y --no-install-recommends "$here"/headway-mpi_*.deb
  # Processes that wait for each other share one core, and the one that waits gives it up: a busy machine lets them wait for cores,
  # while Open MPI turns in circles.
  local core
  core=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
  taskset -c "$core" mpirun --allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n 2 \
    headway-mpi run my.toml --quiet --out together "${keep[@]}" >/dev/null
  cmp out/results.csv together/results.csv || fail "two processes have other results"
}

for product in "$@"; do
  "try_$product"
  works+=("$product")
done
if [[ " $* " == *" deb "* ]]; then
  product=deb
  quiet apt-get remove -y headway
  [[ -z $(find /usr -name '*headway*') ]] || fail "files stay when it is removed"
fi
printf '%s|%s|%s|%s|%s\n' "$system" "$(ldd --version | sed -n '1s/.* //p')" "$(python3 -V | sed 's/.* //')" \
  "$(printf '%s, ' "${works[@]}" | sed 's/, $//')" "${results:0:8}" >"$here/tried"
