#!/usr/bin/env bash
# Benchmarks, and their tables in docs/performance.md and README.md. Reading a number, calls and lookups are measured beside
# a reference and beside libraries of others in the same run: ratios travel between machines. Pages, the start, memory and
# sizes are absolute figures of this machine, beside goals. It takes a quarter of an hour, and wants a machine that does
# nothing else: what other programs disturb is not judged. A missed goal is told, and is no failure.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/setup.sh bench
scripts/build-site.sh

npm_packages benches/peers
export BENCH_PEERS="$PWD/benches/peers" BENCH_PYTHON="$tools/bench-peers/bin/python"

# Nothing is measured while something is built.
cargo bench --locked --package vat --bench read --no-run
cargo bench --locked --package crossvat --bench call --bench verify --bench registries --bench pages --no-run

BENCH_FIGURES="$(mktemp)"
export BENCH_FIGURES
trap 'rm -f "$BENCH_FIGURES"' EXIT
measure() {
  printf '\n== %s\n' "$2"
  cargo bench --quiet --locked --package "$1" --bench "$2"
}
measure vat read
measure crossvat call
measure crossvat verify
measure crossvat registries
measure crossvat pages
for file in target/site/pkg/*.br; do
  printf '%s: %s bytes compressed\n' "$(basename "$file" .br)" "$(stat --format %s "$file")"
done
node scripts/bench-table.mjs "$BENCH_FIGURES"
