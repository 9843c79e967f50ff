#!/usr/bin/env bash
# Benchmarks. Reading a number and calls are measured beside a reference in the same run: ratios travel between machines.
# Turns and places at registries are measured beside what the registries' limits allow. Pages, the start, memory and sizes are
# absolute figures of this machine, beside goals.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh build
scripts/build-site.sh
cargo bench --locked --package vat --bench read
cargo bench --locked --package crossvat --bench verify
cargo bench --locked --package crossvat --bench registries
cargo bench --locked --package crossvat --bench call
cargo bench --locked --package crossvat --bench pages
for file in target/site/pkg/*.br; do
  printf '%s: %s bytes compressed\n' "$(basename "$file" .br)" "$(stat --format %s "$file")"
done
