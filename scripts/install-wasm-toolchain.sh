#!/usr/bin/env bash
# Everything the browser half needs beyond the server's own compiler: a Rust compiler with the standard library of
# wasm32-unknown-unknown, wasm-bindgen of the locked version, wasm-opt. Does only what is missing, so it is quick the
# second time. Leaves the choice of compiler in $CROSSVAT_TOOLS/wasm.env for build-site.sh.
set -euo pipefail

readonly target=wasm32-unknown-unknown
readonly binaryen_version=132.0.0
root="$(cd "$(dirname "$0")/.." && pwd)"
readonly root
. "$root/scripts/lib.sh"

say() { printf 'wasm toolchain: %s\n' "$*"; }

# The folder where the given compiler looks for the target's standard library.
target_libdir() { "$1" --print target-libdir --target "$target" 2>/dev/null || true; }
has_std() { [ -x "$(command -v "$1")" ] || return 1; local dir; dir="$(target_libdir "$1")"; [ -n "$dir" ] && compgen -G "$dir/libcore-*.rlib" >/dev/null; }

# A compiler other than Debian's that stands first on the PATH, and has the target or can be given it.
rustup_has_std() { case "$(command -v rustc)" in '' | /usr/bin/rustc) return 1 ;; *) has_std rustc ;; esac; }

choose_rustup() {
  rustup_has_std && return 0
  command -v rustup >/dev/null || return 1
  say "asking rustup for $target"
  rustup target add "$target" >/dev/null 2>&1 && rustup_has_std
}

# Debian's compiler comes with the standard library's source; the library is built from it once.
# The stamp ties the built library to the compiler: another version cannot read it.
debian_std_is_built() {
  has_std /usr/bin/rustc || return 1
  [ "$(cat "$(target_libdir /usr/bin/rustc)/built-by" 2>/dev/null)" = "$(/usr/bin/rustc --version)" ]
}

install_debian() {
  if [ ! -x /usr/bin/rustc ] || [ ! -x /usr/bin/cargo ] || [ ! -x /usr/bin/wasm-ld-19 ] || [ ! -d /usr/lib/rustlib/src ]; then
    apt_install rustc-web cargo-web rust-web-src lld-19
  fi
  debian_std_is_built && return 0
  say "building the standard library for $target with $(/usr/bin/rustc --version)"
  local crate
  crate="$(mktemp -d)"
  mkdir "$crate/src"
  printf '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2021"\n\n[lib]\ncrate-type = ["cdylib"]\n' >"$crate/Cargo.toml"
  : >"$crate/src/lib.rs"
  (
    cd "$crate"
    RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc CARGO_TARGET_DIR="$crate/target" \
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
      /usr/bin/cargo build --quiet --release -Zbuild-std=std,panic_abort --target "$target"
  )
  local libdir
  libdir="$(target_libdir /usr/bin/rustc)"
  as_root rm -rf "$libdir"
  as_root mkdir -p "$libdir"
  as_root cp "$crate/target/$target/release/deps/"*.rlib "$libdir/"
  /usr/bin/rustc --version | as_root tee "$libdir/built-by" >/dev/null
  rm -rf "$crate"
  has_std /usr/bin/rustc
}

mkdir -p "$tools"

if ! rustup_has_std && debian_std_is_built; then
  compiler=debian # Already set up: rustup is not asked again.
elif choose_rustup; then
  compiler=rustup
else
  install_debian
  compiler=debian
fi

if [ "$compiler" = rustup ]; then
  printf 'WASM_CARGO=cargo\n' >"$tools/wasm.env"
else
  printf 'WASM_CARGO=/usr/bin/cargo\nexport RUSTC=/usr/bin/rustc\nexport RUSTDOC=/usr/bin/rustdoc\nexport CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19\n' >"$tools/wasm.env"
fi
say "compiler: $compiler"

bindgen_version="$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/"/, "", $3); print $3 }' "$root/Cargo.lock")"
if [ "$("$tools/bin/wasm-bindgen" --version 2>/dev/null)" != "wasm-bindgen $bindgen_version" ]; then
  say "building wasm-bindgen $bindgen_version"
  # Without --locked: the tool's own lock file names versions that cannot always be had.
  # Away from the project, whose target directory and .cargo/config.toml are not for it.
  (cd "$tools" && env -u CARGO_TARGET_DIR cargo install --force --root "$tools" \
    --version "$bindgen_version" wasm-bindgen-cli)
fi
say "wasm-bindgen $bindgen_version"

if [ "$(cat "$tools/binaryen/version" 2>/dev/null)" != "$binaryen_version" ]; then
  say "installing binaryen $binaryen_version"
  mkdir -p "$tools/binaryen"
  npm install --loglevel error --no-audit --no-fund --no-save --prefix "$tools/binaryen" "binaryen@$binaryen_version" >/dev/null
  printf '%s' "$binaryen_version" >"$tools/binaryen/version"
fi
say "wasm-opt from binaryen $binaryen_version"
