#!/usr/bin/env bash
# The pages in Chromium, against the real server and the registry simulator on free ports.
#   scripts/end2end.sh [arguments of playwright]     scripts/end2end.sh --screenshots
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/build-site.sh
cargo build --locked --package crossvat --package registry-simulator --bins --example quickstart
readonly built="${CARGO_TARGET_DIR:-$PWD/target}/debug"

npm_packages end2end

state="$(mktemp -d)"
trap 'stop_started; rm -rf "$state"' EXIT
start_simulator "$built/registry-simulator" --latency-ms 0
use_file_box "$state/mail"
use_second_factors "$state/second-factor-key"
port="$(free_port)"
export CROSSVAT_DATABASE__URL="sqlite://$state/crossvat.db" CROSSVAT_HTTP__BIND="127.0.0.1:$port"
export CROSSVAT_LOG__FILTER=warn
# Keys without waiting for support, and addresses that tests choose.
export CROSSVAT_ACCOUNTS__SIGNUP=self_service CROSSVAT_HTTP__TRUSTED_PROXIES=127.0.0.1
start "$built/crossvat" serve
wait_for "http://127.0.0.1:$port/readyz"

# Another instance over the same database, in which whoever signs up has to be approved.
early_access_port="$(free_port)"
CROSSVAT_HTTP__BIND="127.0.0.1:$early_access_port" CROSSVAT_ACCOUNTS__SIGNUP=early_access start "$built/crossvat" serve
wait_for "http://127.0.0.1:$early_access_port/readyz"
export CROSSVAT_EARLY_ACCESS_URL="http://127.0.0.1:$early_access_port"

CROSSVAT_PROGRAM="$(realpath "$built/crossvat")"
export CROSSVAT_PROGRAM
export CROSSVAT_RUST_QUICKSTART="$built/examples/quickstart"
export CROSSVAT_URL="http://127.0.0.1:$port" CROSSVAT_MAIL="$state/mail" CROSSVAT_SIMULATOR="http://127.0.0.1:$simulator_port"
cd end2end
if [ "${1:-}" = --screenshots ]; then
  node screenshots.mjs
else
  # Playwright throws types away unseen.
  npx --no-install tsc
  npx --no-install playwright test "$@"
fi
