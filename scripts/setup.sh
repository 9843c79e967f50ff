#!/usr/bin/env bash
# Installs what is missing on this machine, and only that: quick when everything is there.
#   scripts/setup.sh build    what building and running needs
#   scripts/setup.sh test     and what the tests need
#   scripts/setup.sh check    and what the checks need
#   scripts/setup.sh bench    what building needs, and what the benchmarks measure beside needs
#   scripts/setup.sh cluster  what building needs, and the servers of the demonstration of a cluster
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

readonly for="${1:-build}"
readonly least_rust=1.95 least_node=20

# Debian packages, for the commands among them that are missing: `packages <command>=<package>[,<package>] …`.
packages() {
  local missing=() pair
  for pair in "$@"; do has "${pair%%=*}" || missing+=("${pair#*=}"); done
  # Several packages for one command stand with commas between.
  if [ "${#missing[@]}" -gt 0 ]; then IFS=' ' read -r -a missing <<<"${missing[*]//,/ }"; apt_install "${missing[@]}"; fi
}

# Debian packages of servers, as `packages`. Debian would also start them as services of the machine: they are wanted as
# programs only.
servers() {
  local policy=/usr/sbin/policy-rc.d
  if [ -e "$policy" ]; then packages "$@"; return; fi
  (
    trap 'as_root rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root install -m 755 /dev/stdin "$policy"
    packages "$@"
  )
}

# A Rust program at a version, into the tools folder: `program <crate> <version>`. cargo keeps the list.
program() {
  grep --quiet --fixed-strings "\"$1 $2 " "$tools/.crates.toml" 2>/dev/null && return 0
  printf 'building %s %s\n' "$1" "$2"
  (mkdir -p "$tools" && cd "$tools" && env -u CARGO_TARGET_DIR cargo install --force --locked --root "$tools" "$1@$2")
}

# Debian keeps apart from Python what makes virtual environments.
virtual_environments() { python3 -c 'import ensurepip' 2>/dev/null || apt_install python3-venv; }

# Python programs in a virtual environment of the tools folder, exactly those that a list of hashes names:
# `python_programs <name> <list>`. The list that was installed is kept beside them.
python_programs() {
  cmp --silent "$2" "$tools/$1/installed" && return 0
  printf 'installing %s\n' "$1"
  rm -rf "${tools:?}/$1"
  python3 -m venv "$tools/$1"
  "$tools/$1/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: --requirement "$2"
  cp "$2" "$tools/$1/installed"
}

# Whether version $1 is at least $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort --version-sort | head -n 1)" = "$2" ]; }

packages cc=gcc,libc6-dev pkg-config=pkg-config curl=curl,ca-certificates make=make node=nodejs npm=npm

# Debian ships a compiler that is new enough with its security updates.
rust_is_new() { has cargo && at_least "$(rustc --version | cut -d ' ' -f 2)" "$least_rust"; }
if ! rust_is_new; then
  case "$(command -v rustc)" in '' | /usr/bin/rustc) apt_install cargo-web rustc-web ;; esac
  if ! rust_is_new; then
    printf 'Rust %s or newer is needed; this is %s. Get it with rustup or your distribution.\n' "$least_rust" "$(rustc --version)" >&2
    exit 1
  fi
fi

# Debian's own node is older than the browser tests need; the registry of npm has newer ones as packages.
if ! at_least "$(node --version | tr -d v)" "$least_node"; then
  printf 'installing node %s\n' "$least_node"
  rm -rf "$tools/node" "$tools/node.new"
  npm install --loglevel error --no-audit --no-fund --no-save --prefix "$tools/node.new" "node@$least_node" >/dev/null
  # Whole or not at all: what is half there would be found first.
  mv "$tools/node.new" "$tools/node"
fi

if [ "$for" = test ] || [ "$for" = check ]; then
  packages python3=python3 sqlite3=sqlite3
  virtual_environments
  # As end2end/chromium.mjs looks for it.
  if [ -z "${CHROMIUM:-}" ] && ! has chromium-browser && ! has google-chrome; then packages chromium=chromium; fi
  if ! has initdb || ! has redis-server; then servers initdb=postgresql redis-server=redis-server; fi
  cargo nextest --version >/dev/null 2>&1 || program cargo-nextest 0.9.143
fi

if [ "$for" = bench ]; then
  # The benchmarks pin processes to cores.
  packages python3=python3 taskset=util-linux
  virtual_environments
  python_programs bench-peers benches/peers/requirements.txt
fi

if [ "$for" = test ]; then python_programs schemathesis tests/interface/requirements.txt; fi

if [ "$for" = cluster ]; then
  if ! has initdb || ! has redis-server; then servers initdb=postgresql redis-server=redis-server; fi
  if [ ! -x /usr/sbin/haproxy ] && ! has haproxy; then servers haproxy=haproxy; fi
fi

if [ "$for" = check ]; then
  packages shellcheck=shellcheck
  if ! cargo clippy --version >/dev/null 2>&1 || ! cargo fmt --version >/dev/null 2>&1; then
    if has rustup; then rustup --quiet component add clippy rustfmt; else apt_install rust-web-clippy rustfmt-web; fi
  fi
  program cargo-machete 0.9.2
  program cargo-deny 0.20.2
  program typos-cli 1.52.0
fi
