# What several scripts share: where the tools are, free ports, and programs that end with the script. Sourced.

readonly tools="${CROSSVAT_TOOLS:-$HOME/.cache/crossvat/tools}"
export PATH="$tools/bin:$PATH"

started=()

# Starts a program in the background that ends when the script does.
start() {
  "$@" &
  started+=("$!")
}

stop_started() {
  local pid
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
  started=()
}
trap stop_started EXIT
trap 'exit 130' INT TERM

# A port of 127.0.0.1 that is free now.
free_port() {
  node -e 'const s = require("net").createServer(); s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Waits until an address answers, for at most 30 seconds.
wait_for() {
  local tries
  for tries in $(seq 300); do
    curl --silent --fail --output /dev/null "$1" && return 0
    sleep 0.1
  done
  printf '%s does not answer\n' "$1" >&2
  return 1
}

# The registries as the simulator on port $1 plays them.
use_simulator() {
  export CROSSVAT_HMRC__BASE_URL="http://127.0.0.1:$1"
  export CROSSVAT_HMRC__CLIENT_ID=sandbox-client
  export CROSSVAT_HMRC__CLIENT_SECRET=sandbox-secret
  export CROSSVAT_VIES__BASE_URL="http://127.0.0.1:$1/taxation_customs/vies/rest-api"
}
