#!/usr/bin/env bash
# Everything that is tested: units, the server over sockets, the interface against its description, pages in Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/setup.sh test
node --test --test-reporter dot scripts/bench-table.test.mjs
# The server's tests run on both databases; the rest knows neither.
scripts/services.sh bash -euc '
  cargo nextest run --locked --workspace
  printf "\n== the same on PostgreSQL\n"
  TEST_DATABASE=postgres cargo nextest run --locked --package crossvat --test it
'
scripts/test-interface.sh
scripts/end2end.sh
