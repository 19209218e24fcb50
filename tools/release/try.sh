#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a product that lies beside this script, and tries it. tools/release/release.sh runs it in a bare root.
#
# usage: try.sh deb|wheel VERSION COMMIT
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
product=$1 version=$2 commit=$3

fail() { printf 'try: the %s: %s\n' "$product" "$*" >&2; exit 1; }

case $product in
  deb)
    apt-get install -qq -y --no-install-recommends "$here"/*.deb >/dev/null 2>&1
    prefix=/usr
    ;;
  wheel)
    python3 -m venv /environment
    /environment/bin/pip install --quiet --no-index --find-links "$here" headway
    PATH=/environment/bin:$PATH
    prefix=/environment
    ;;
  *) fail "unknown product" ;;
esac

[[ $(command -v headway) == "$prefix/bin/headway" ]] || fail "the program is not in $prefix/bin"
shown=$(headway --version)
[[ $shown == "headway $version (${commit:0:12}, "* ]] || fail "it says of itself: $shown"
printf '%s\n' "$shown"

cd "$(mktemp -d)"
headway new tree --out my.toml
headway run my.toml --quiet --out out --set observe.waiting=true --set observe.keep=true >/dev/null
headway view out -o view.html --quiet >/dev/null
grep -q '<script' view.html || fail "the page of headway view has no script"
# grep reads all, because a closed pipe would end the command before it.
headway paper | grep '^obqa ' >/dev/null || fail "it does not find its papers"

# Every command of the first ten minutes shows what the page says, without a network.
unshare --net python3 "$here/recording.py" --check "$prefix/bin" "$here/first-steps.md"

[[ $(man -w headway) == "$prefix"/share/man/man1/headway.1* ]] || fail "man finds no page, or another: $(man -w headway)"
man headway | grep 'headway run' >/dev/null || fail "the man page does not show headway run"
[[ -s $prefix/share/bash-completion/completions/headway ]] || fail "there is no completion for bash"

if [[ $product == deb ]]; then
  mpirun --allow-run-as-root --oversubscribe -n 2 headway-mpi run my.toml --quiet --out together \
    --set observe.waiting=true --set observe.keep=true >/dev/null
  cmp out/results.csv together/results.csv || fail "two processes have other results"
  [[ -s /usr/share/doc/headway/copyright ]] || fail "there is no list of licences"
  apt-get remove -qq -y headway >/dev/null 2>&1
  [[ -z $(find /usr -name '*headway*') ]] || fail "files stay when it is removed"
else
  python -c "
import headway, headway as hw
assert hw.__version__ == '$version', hw.__version__
result = hw.run(hw.Spec.read('my.toml').replaced({'sweep': {}}))
print(result.status, round(result.accepted_load, 3))
assert 'obqa' in hw.papers()
"
  [[ -s $(find $prefix -path '*headway-*.dist-info/licenses/packaging/copyright') ]] || fail "there is no list of licences"
fi
printf 'the %s works\n' "$product"
