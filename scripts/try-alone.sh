#!/usr/bin/env bash
# Whether a released program runs by itself: `scripts/try-alone.sh <program>` starts a copy of it in an empty folder, without
# any setting but a free port, and asks for a page, the files it loads and a call.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

readonly program="$1"
folder="$(mktemp -d)"
trap 'stop_started; rm -rf "$folder"' EXIT
cp "$program" "$folder/crossvat"
cd "$folder"

fail() {
  printf 'try-alone: %s\n' "$*" >&2
  exit 1
}

port="$(free_port)"
readonly here="http://127.0.0.1:$port"
start env --ignore-environment CROSSVAT_HTTP__BIND="127.0.0.1:$port" ./crossvat serve 2>log
wait_for "$here/readyz" || fail "it does not start: $(cat log)"

# `get <path> [arguments of curl]`: the answer into the file body, its headers into the file headers.
get() {
  local path="$1"
  shift
  curl --silent --show-error --fail --output body --dump-header headers "$@" "$here$path" || fail "$path is not answered"
}
says() { grep --quiet --ignore-case --fixed-strings -- "$1" headers || fail "$2 does not say \"$1\": $(cat headers)"; }

get /
cp body page
for ending in css js wasm; do
  path="$(grep --only-matching "/pkg/crossvat\.[0-9a-f]*\.$ending" page | head -n 1)" || fail "the page names no $ending"
  get "$path"
  cp body plain
  says 'cache-control: public, max-age=31536000, immutable' "$path"
  get "$path" --header 'accept-encoding: gzip'
  says 'content-encoding: gzip' "$path"
  gzip --decompress --stdout body | cmp --silent - plain || fail "$path in gzip is another file"
  get "$path" --header 'accept-encoding: gzip, br'
  says 'content-encoding: br' "$path"
  node -e 'const { brotliDecompressSync } = require("zlib"); process.stdout.write(brotliDecompressSync(require("fs").readFileSync("body")))' |
    cmp --silent - plain || fail "$path in brotli is another file"
done
get /favicon.svg
get /docs/quickstart
get /v1/openapi.json

key="$(env --ignore-environment ./crossvat issue-key --organisation Somebody --name try-alone --test 2>>log)"
get /v1/verify-vat --header "authorization: Bearer $key" --header 'content-type: application/json' \
  --data '{"vatNumbers": ["GB999910095"]}'
grep --quiet '"valid":true' body || fail "a call is answered otherwise: $(cat body)"

# A folder that is set goes before what is built in.
mkdir empty
if env --ignore-environment CROSSVAT_HTTP__BIND=127.0.0.1:0 CROSSVAT_HTTP__SITE_DIRECTORY=empty ./crossvat serve 2>refused; then
  fail 'it serves without the files of a folder that is set'
fi
grep --quiet --fixed-strings 'empty/manifest.json' refused || fail "it says otherwise what is missing: $(cat refused)"
printf 'try-alone: it runs by itself\n'
