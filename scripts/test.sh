#!/usr/bin/env bash
# Everything that is tested: units, the server over sockets, pages in Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

scripts/setup.sh test
scripts/services.sh cargo nextest run --locked --workspace
scripts/end2end.sh
