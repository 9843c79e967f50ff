#!/usr/bin/env bash
# Builds the program as it is given away: one file that needs no other, with the pages and the database's schema inside, and
# beside it the licences of what is compiled into it. Then tries that file alone in an empty folder.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly given=target/dist

scripts/setup.sh build
scripts/build-site.sh
CROSSVAT_EMBED_SITE="$PWD/target/site" cargo build --locked --release --package crossvat --bin crossvat
mkdir -p "$given"
cp "${CARGO_TARGET_DIR:-target}/release/crossvat" "$given/crossvat"
scripts/licences.sh --texts >"$given/licences.txt"
scripts/try-alone.sh "$given/crossvat"
printf 'release: %s, %s bytes, %s\n' "$given/crossvat" "$(stat --format %s "$given/crossvat")" "$("$given/crossvat" --version)"
