#!/usr/bin/env bash
# Installs what is missing on this machine, and only that: quick when everything is there.
#   scripts/setup.sh build    what building and running needs
#   scripts/setup.sh test     and what the tests need
#   scripts/setup.sh check    and what the checks need
set -euo pipefail

readonly tools="${CROSSVAT_TOOLS:-$HOME/.cache/crossvat/tools}"
readonly for="${1:-build}"

say() { printf 'set-up: %s\n' "$*"; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }
has() { command -v "$1" >/dev/null 2>&1; }

# Debian packages, for the commands among them that are missing: `packages <command>=<package> …`.
packages() {
  local missing=() pair
  for pair in "$@"; do has "${pair%%=*}" || missing+=("${pair#*=}"); done
  [ "${#missing[@]}" -eq 0 ] && return 0
  if ! has apt-get; then
    say "please install: ${missing[*]} (this machine has no apt-get to do it with)"
    exit 1
  fi
  say "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >/dev/null
}

# A program of crates.io at a version, into the tools folder: `program <crate> <version>`. cargo keeps the list.
program() {
  grep --quiet --fixed-strings "\"$1 $2 " "$tools/.crates.toml" 2>/dev/null && return 0
  say "building $1 $2"
  (mkdir -p "$tools" && cd "$tools" && env -u CARGO_TARGET_DIR cargo install --quiet --force --locked --root "$tools" "$1@$2")
}

packages cc=gcc pkg-config=pkg-config curl=curl node=nodejs npm=npm make=make
has cargo || packages cargo=cargo-web rustc=rustc-web

if [ "$for" = test ] || [ "$for" = check ]; then
  packages chromium=chromium
  cargo nextest --version >/dev/null 2>&1 || PATH="$tools/bin:$PATH" cargo nextest --version >/dev/null 2>&1 ||
    program cargo-nextest 0.9.143
fi

if [ "$for" = check ]; then
  if ! cargo clippy --version >/dev/null 2>&1 || ! cargo fmt --version >/dev/null 2>&1; then
    has rustup || { say "please install clippy and rustfmt for $(rustc --version)"; exit 1; }
    say "adding clippy and rustfmt"
    rustup component add clippy rustfmt >/dev/null 2>&1
  fi
  program cargo-machete 0.9.2
  program cargo-deny 0.20.2
  program typos-cli 1.52.0
fi
