#!/usr/bin/env bash
# Everything that is tested: units, the server over sockets, pages in Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh test
PATH="${CROSSVAT_TOOLS:-$HOME/.cache/crossvat/tools}/bin:$PATH" cargo nextest run --locked --workspace
scripts/end2end.sh
