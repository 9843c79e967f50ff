#!/usr/bin/env bash
# Two instances over one PostgreSQL and one Redis, behind a proxy, against the registry simulator: all of it on free ports of
# this machine and without a trace when it ends, which Ctrl-C does. An instance that dies is started again, as systemd would.
#   scripts/demo-cluster.sh          runs until Ctrl-C
#   scripts/demo-cluster.sh --try    kills an instance under load, says what its callers saw, and ends
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != --with-services ]; then
  scripts/setup.sh cluster
  scripts/build-site.sh
  cargo build --locked --package crossvat --package registry-simulator
  # Not what tests were told to use: everything here is this cluster's own.
  exec env -u TEST_POSTGRES_URL -u TEST_REDIS_URL scripts/services.sh "$0" --with-services "$@"
fi
shift
. scripts/lib.sh
export PATH="$PATH:/usr/sbin"

readonly built="${CARGO_TARGET_DIR:-target}/debug"
state="$(mktemp -d)"
trap 'stop_started; rm -rf "$state"' EXIT

start_simulator "$built/registry-simulator"
use_file_box "$state/mail"
use_second_factors "$state/second-factor-key"
export CROSSVAT_DATABASE__URL="$TEST_POSTGRES_URL" CROSSVAT_LIMITS__REDIS_URL="$TEST_REDIS_URL"
export CROSSVAT_ACCOUNTS__SIGNUP="${CROSSVAT_ACCOUNTS__SIGNUP:-self_service}" CROSSVAT_HTTP__TRUSTED_PROXIES=127.0.0.1
export CROSSVAT_LOG__FORMAT=json

declare -A address metrics process
proxy_port="$(free_port)"
export CROSSVAT_HTTP__PUBLIC_URL="http://127.0.0.1:$proxy_port"
for name in a b; do
  address[$name]="127.0.0.1:$(free_port)"
  metrics[$name]="127.0.0.1:$(free_port)"
done

run_instance() {
  CROSSVAT_HTTP__BIND="${address[$1]}" CROSSVAT_METRICS__BIND="${metrics[$1]}" \
    start "$built/crossvat" serve 2>>"$state/$1.log"
  process[$1]="${started[-1]}"
  wait_for "http://${address[$1]}/readyz"
}
for name in a b; do run_instance "$name"; done

CROSSVAT_PROXY="127.0.0.1:$proxy_port" CROSSVAT_A="${address[a]}" CROSSVAT_B="${address[b]}" \
  start haproxy -f docs/operating/haproxy.cfg -db -q
readonly proxy="${started[-1]}"
wait_for "$CROSSVAT_HTTP__PUBLIC_URL/readyz"

# The process of an instance that has ended is nobody's any more.
forget_process() {
  local place
  for place in "${!started[@]}"; do
    if [ "${started[$place]}" = "$1" ]; then unset "started[$place]"; fi
  done
}

# `new_key <organisation> <requests a minute>`
new_key() {
  "$built/crossvat" create-account --name "$1" --requests-per-minute "$2" >/dev/null 2>>"$state/commands.log"
  "$built/crossvat" issue-key --organisation "$1" --name cluster 2>>"$state/commands.log"
}

if [ "${1:-}" = --try ]; then
  node scripts/try-cluster.mjs "$CROSSVAT_HTTP__PUBLIC_URL" "$(new_key Limited 100)" "$(new_key Loaded 1000000)" "${process[a]}"
  exit
fi

key="$(new_key Demo 600)"
cat <<TEXT

Crossvat        $CROSSVAT_HTTP__PUBLIC_URL, by HAProxy (docs/operating/haproxy.cfg)
Instance a      http://${address[a]}, process ${process[a]}, metrics at http://${metrics[a]}/metrics
Instance b      http://${address[b]}, process ${process[b]}, metrics at http://${metrics[b]}/metrics
PostgreSQL      $TEST_POSTGRES_URL
Redis           $TEST_REDIS_URL
Registries      simulated at http://127.0.0.1:$simulator_port
Logs, mail      $state
Your key        $key

Ask again and again, in another terminal:

  while sleep 0.2; do
    curl -s -o /dev/null -w '%{http_code} ' $CROSSVAT_HTTP__PUBLIC_URL/v1/verify-vat -H "Authorization: Bearer $key" \\
      -H "Content-Type: application/json" -d '{"vatNumbers": ["FR40303265045"]}'
  done

and kill an instance meanwhile: kill -9 ${process[a]}

Ctrl-C ends it and removes everything.
TEXT
while kill -0 "$proxy" 2>/dev/null; do
  sleep 1
  for name in a b; do
    if ! kill -0 "${process[$name]}" 2>/dev/null; then
      printf 'instance %s has ended: starting it again in 10 seconds\n' "$name"
      forget_process "${process[$name]}"
      sleep 10
      run_instance "$name"
      printf 'instance %s is back as process %s\n' "$name" "${process[$name]}"
    fi
  done
done
