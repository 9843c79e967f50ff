#!/usr/bin/env bash
# Builds what the browser gets into target/site: the WebAssembly half of the application, the style sheet, the static
# files, everything precompressed, and the manifest that tells the server their names. Steps whose input has not
# changed are skipped.
set -euo pipefail

root="$(cd "$(dirname "$0")/.." && pwd)"
readonly root
. "$root/scripts/lib.sh"
# A directory of its own: the compiler may be another than the server's, and neither build throws away the other's work.
readonly cargo_target="$root/target/wasm"
readonly built="$cargo_target/wasm32-unknown-unknown/wasm-release/crossvat_app.wasm"
readonly bound="$cargo_target/bound"

say() { printf 'site: %s\n' "$*"; }

"$root/scripts/install-wasm-toolchain.sh"
# shellcheck source=/dev/null
. "$tools/wasm.env"

cd "$root"
say "compiling the browser half"
CARGO_TARGET_DIR="$cargo_target" "$WASM_CARGO" build --locked --package crossvat-app --lib \
  --features hydrate --target wasm32-unknown-unknown --profile wasm-release

# What the optimised files were made from and with; equal means that they are up to date.
stamp="$(cat "$built" "$root/scripts/install-wasm-toolchain.sh" "$root/scripts/build-site.sh" | sha256sum)"
if [ "$(cat "$bound/stamp" 2>/dev/null)" != "$stamp" ]; then
  say "binding and optimising"
  rm -rf "$bound"
  "$tools/bin/wasm-bindgen" --target web --no-typescript --out-name crossvat --out-dir "$bound" "$built"
  # Functions with one caller stay apart: many are alike, which brotli only sees as long as they are.
  "$tools/binaryen/node_modules/.bin/wasm-opt" -Oz --one-caller-inline-max-function-size=1 \
    "$bound/crossvat_bg.wasm" -o "$bound/crossvat.wasm"
  printf '%s' "$stamp" >"$bound/stamp"
fi

node "$root/scripts/build-site.mjs" "$root" "$bound"
