#!/usr/bin/env bash
# Clippy over the browser half, with the compiler that builds it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh
# shellcheck source=/dev/null
. "$tools/wasm.env"

arguments=(clippy --locked --package crossvat-app --features hydrate --target wasm32-unknown-unknown)
export CARGO_TARGET_DIR="$PWD/target/wasm"
if [ "$WASM_CARGO" = cargo ]; then
  cargo "${arguments[@]}" -- --deny warnings
else
  [ -x /usr/bin/cargo-clippy ] || apt_install rust-web-clippy
  CARGO="$WASM_CARGO" PATH="/usr/bin:$PATH" /usr/bin/cargo-clippy "${arguments[@]}" -- --deny warnings
fi
