#!/usr/bin/env bash
# Formatting, lints (the server's half, and the browser's for its own target), dependencies, scripts, spelling.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/setup.sh check
scripts/install-wasm-toolchain.sh
step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --locked --workspace --all-targets -- --deny warnings
step scripts/clippy-browser.sh
step cargo doc --locked --workspace --no-deps --quiet
step cargo machete
step cargo deny --locked check bans licenses sources
step scripts/licences.sh --check
step shellcheck scripts/*.sh
step shellcheck --shell=sh docs/quickstart/*.sh
step typos
