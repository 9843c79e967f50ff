#!/usr/bin/env bash
# Benchmarks, each beside a reference measured in the same run. Ratios travel between machines; absolute figures do not.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh build
scripts/build-site.sh
cargo bench --locked --package vat --bench read
cargo bench --locked --package crossvat --bench verify
cargo bench --locked --package crossvat --bench call
cargo bench --locked --package crossvat --bench pages
for file in target/site/pkg/*.br; do
  printf '%s: %s bytes compressed\n' "$(basename "$file" .br)" "$(stat --format %s "$file")"
done
