#!/usr/bin/env bash
# The interface held against its own description: Schemathesis makes calls of what the served openapi.json says, right and wrong
# ones, with every kind of key, and looks whether each answer is one that is described. tests/interface has its settings.
#   scripts/test-interface.sh              the same calls every time
#   scripts/test-interface.sh 5000 [seed]  as many for each call of the interface, by chance
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

readonly examples="${1:-}" seed="${2:-$RANDOM}"

scripts/setup.sh test
scripts/build-site.sh
cargo build --locked --package crossvat --package registry-simulator
built="$(realpath "${CARGO_TARGET_DIR:-target}/debug")"
readonly built

state="$(mktemp -d)"
trap 'stop_started; rm -rf "$state"' EXIT
start_simulator "$built/registry-simulator" --latency-ms 0
port="$(free_port)"
export CROSSVAT_DATABASE__URL="sqlite://$state/crossvat.db" CROSSVAT_HTTP__BIND="127.0.0.1:$port" CROSSVAT_LOG__FILTER=error
start "$built/crossvat" serve 2>"$state/log"
wait_for "http://127.0.0.1:$port/readyz"
# So that live keys meet an outage too.
curl --silent --show-error --fail --output /dev/null --request PUT "http://127.0.0.1:$simulator_port/control/vies/FR" \
  --data '{"condition":"down"}'

# `account <organisation> <requests a minute>`
account() {
  "$built/crossvat" create-account --name "$1" --requests-per-minute "$2" --numbers-per-month 1000000000 >/dev/null 2>>"$state/commands"
}
# `key <organisation> [--test]`: makes a key and prints it.
key() { "$built/crossvat" issue-key --organisation "$1" --name interface "${@:2}" 2>>"$state/commands"; }

account Unlimited 1000000
account Limited 1
account Suspended 1000000

# What Schemathesis and its libraries leave behind ends with the rest.
cp tests/interface/hooks.py tests/interface/schemathesis.toml "$state"
cd "$state"
more=()
if [ -n "$examples" ]; then
  sed --in-place 's/^deterministic = true$/deterministic = false/' schemathesis.toml
  more=(--max-examples "$examples" --seed "$seed")
fi

# `interface <with what> <statuses that have to be seen> [arguments of schemathesis]`
interface() {
  printf '\n== the interface, %s\n' "$1"
  CROSSVAT_EXPECTED_STATUSES="$2" "$tools/schemathesis/bin/schemathesis" run "http://127.0.0.1:$port/v1/openapi.json" \
    "${more[@]}" "${@:3}"
}
bearer() { printf 'Authorization: Bearer %s' "$1"; }

interface 'with a test key' '200 400 401 405 415 422 503' --header "$(bearer "$(key Unlimited --test)")"
interface 'with a live key' '200 400 401 405 415 422 503' --header "$(bearer "$(key Unlimited)")"
# These are refused whatever they say.
[ -n "$examples" ] || more=(--max-examples 50)
interface 'without a key' '200 401 405' --warnings off
interface 'with a key whose account is at its limit' '200 401 405 429' --warnings off --header "$(bearer "$(key Limited)")"
suspended="$(key Suspended)"
"$built/crossvat" suspend-account --organisation Suspended --reason 'to be tried' >/dev/null 2>>"$state/commands"
interface 'with a key of a suspended account' '200 401 403 405' --warnings off --header "$(bearer "$suspended")"

if [ -s "$state/log" ]; then
  printf 'the server had faults of its own:\n' >&2
  cat "$state/log" >&2
  exit 1
fi
