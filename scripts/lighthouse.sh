#!/usr/bin/env bash
# Lighthouse's marks for the pages that people see first, of the program as `make release` builds it, with the simulator as
# registries, in the machine's own Chromium. Its figures for speed are this machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/setup.sh test
scripts/release.sh
cargo build --locked --release --package registry-simulator
readonly program="$PWD/target/dist/crossvat"
npm_packages benches/lighthouse

state="$(mktemp -d)"
trap 'stop_started; rm -rf "$state"' EXIT
start_simulator "${CARGO_TARGET_DIR:-target}/release/registry-simulator"
port="$(free_port)"
export CROSSVAT_DATABASE__URL="sqlite://$state/crossvat.db" CROSSVAT_HTTP__BIND="127.0.0.1:$port" CROSSVAT_LOG__FILTER=warn
export CROSSVAT_ACCOUNTS__SIGNUP=self_service
start "$program" serve
wait_for "http://127.0.0.1:$port/readyz"

export CROSSVAT_URL="http://127.0.0.1:$port" CROSSVAT_EMAIL=lena@example.com
CROSSVAT_PASSWORD="$(od -An -v -N12 -tx1 /dev/urandom | tr -d ' \n')"
export CROSSVAT_PASSWORD
"$program" create-account --name Lighthouse >/dev/null
"$program" create-member --organisation Lighthouse --email "$CROSSVAT_EMAIL" --name 'Lena Berg' <<<"$CROSSVAT_PASSWORD" >/dev/null
# Something to look at.
key="$("$program" issue-key --organisation Lighthouse --name checkout)"
curl --silent --fail --output /dev/null "$CROSSVAT_URL/v1/verify-vat" --header "authorization: Bearer $key" \
  --header 'content-type: application/json' --data '{"vatNumbers": ["GB980780684", "DE136695976", "FR40303265045"]}'
node benches/lighthouse/judge.mjs
