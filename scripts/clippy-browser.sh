#!/usr/bin/env bash
# Clippy over the browser half, with the compiler that builds it.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=/dev/null
. "${CROSSVAT_TOOLS:-$HOME/.cache/crossvat/tools}/wasm.env"

arguments=(clippy --locked --package crossvat-app --features hydrate --target wasm32-unknown-unknown)
export CARGO_TARGET_DIR="$PWD/target/wasm"
if [ "$WASM_CARGO" = cargo ]; then
  cargo "${arguments[@]}" -- --deny warnings
else
  if [ ! -x /usr/bin/cargo-clippy ]; then
    if [ "$(id -u)" -eq 0 ]; then apt-get install -y -q --no-install-recommends rust-web-clippy >/dev/null
    else sudo apt-get install -y -q --no-install-recommends rust-web-clippy >/dev/null; fi
  fi
  CARGO="$WASM_CARGO" PATH="/usr/bin:$PATH" /usr/bin/cargo-clippy "${arguments[@]}" -- --deny warnings
fi
