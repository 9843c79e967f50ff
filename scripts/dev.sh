#!/usr/bin/env bash
# Runs the service as `make run` does, and builds and starts it anew whenever a source file changes. Ctrl-C ends it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

# What a build reads, and what does the building.
readonly sources=(.cargo Cargo.lock Cargo.toml app build.rs crates docs migrations public scripts src style)
stamp="$(mktemp)"
trap 'stop_started; rm -f "$stamp"' EXIT

changed() { [ -n "$(find "${sources[@]}" -type f -newer "$stamp" -print -quit)" ]; }

while true; do
  touch "$stamp"
  start scripts/run.sh
  # Also when the build failed: then the next change is waited for.
  until changed; do sleep 1; done
  printf '\nsomething changed: building anew\n'
  stop_started
done
