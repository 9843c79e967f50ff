#!/usr/bin/env bash
# The licences of everything that is compiled into the program and into what the browser gets, from what cargo knows of it.
#   scripts/licences.sh           writes docs/licences.md
#   scripts/licences.sh --check   fails when that file is not what would be written
#   scripts/licences.sh --texts   prints the texts of these licences, which go with the program wherever it goes
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C

# `compiled <target> <package> [arguments]`: name, version, licence and address of each crate of others, a line each. Macros
# run while compiling and stay out.
compiled() {
  local target="$1"
  shift
  cargo tree --locked --target "$target" --edges normal,no-proc-macro --prefix none --format '{p}|{l}|{r}' --package "$@" |
    sed 's/ (\*)$//; / (\//d; s/ (proc-macro)//' | sort --unique
}

# A line of `compiled` as a row of a table.
rows() { sed -E 's/^([^ ]+) v([^|]+)\|([^|]*)\|(.*)$/| \1 | \2 | \3 | \4 |/'; }

in_the_program() { compiled x86_64-unknown-linux-gnu crossvat; }
in_the_browser() { compiled wasm32-unknown-unknown crossvat-app --features hydrate; }

table() {
  printf '| crate | version | licence | sources |\n| --- | --- | --- | --- |\n'
  rows
}

document() {
  cat <<'TEXT'
# Licences of others

What is compiled into Crossvat and was written by others, each under its own licence. `scripts/licences.sh` writes this list
from `Cargo.lock`, `make check` refuses it when it is out of date, and `deny.toml` says which licences are let in at all. Where
a licence offers a choice, any of it may be taken.

Not in the tables: Rust's standard library (MIT OR Apache-2.0), which is in both; SQLite (public domain) and mimalloc (MIT),
which come inside `libsqlite3-sys` and `libmimalloc-sys`; and the list of common passwords (MIT and BSD-3-Clause), whose licences are in
[src/passwords/common_passwords.md](../src/passwords/common_passwords.md). No font or picture of others is served.

## The program

TEXT
  in_the_program | table
  cat <<'TEXT'

## What the browser gets

TEXT
  in_the_browser | table
}

# The crates of both, as `name version`.
all_crates() {
  { in_the_program && in_the_browser; } | sed -E 's/^([^ ]+) v([^|]+)\|.*$/\1 \2/' | sort --unique
}

case "${1:-}" in
'') document >docs/licences.md ;;
--check)
  if ! diff --unified docs/licences.md <(document); then
    printf 'docs/licences.md is out of date: run scripts/licences.sh\n' >&2
    exit 1
  fi
  ;;
--texts)
  awk '/^```/ { inside = !inside; next } inside' src/passwords/common_passwords.md
  cargo metadata --locked --format-version 1 | node scripts/licence-texts.mjs <(all_crates)
  ;;
*)
  printf 'usage: scripts/licences.sh [--check | --texts]\n' >&2
  exit 2
  ;;
esac
