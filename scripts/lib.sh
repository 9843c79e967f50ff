# shellcheck shell=bash
# What several scripts share: the tools' folder, Debian packages, free ports, programs that end with the script. Sourced.

readonly tools="${CROSSVAT_TOOLS:-$HOME/.cache/crossvat/tools}"
export PATH="$tools/bin:$tools/node/node_modules/node/bin:$PATH"
# Debian keeps PostgreSQL's server off the PATH, a folder for each version.
for folder in /usr/lib/postgresql/*/bin; do PATH="$PATH:$folder"; done

has() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# Installs Debian packages, with fresh lists.
apt_install() {
  if ! has apt-get; then
    printf 'please install: %s (this machine has no apt-get to do it with)\n' "$*" >&2
    return 1
  fi
  printf 'installing %s\n' "$*"
  # A mirror that stumbles is asked again, and whoever else installs something is waited for.
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=5 -o DPkg::Lock::Timeout=300)
  as_root "${apt[@]}" update >/dev/null
  as_root "${apt[@]}" install -y --no-install-recommends "$@" >/dev/null
}

# The npm packages of folder $1, exactly as its lock file names them. The list that was installed is kept beside them.
npm_packages() {
  cmp --silent "$1/package-lock.json" "$1/node_modules/.installed-lock" && return 0
  printf 'installing the packages of %s\n' "$1"
  npm ci --loglevel error --no-audit --no-fund --ignore-scripts --prefix "$1"
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock"
}

started=()

# Starts a program in the background that ends when the script does. In a session of its own, so that Ctrl-C reaches
# this script alone and the program is asked once.
start() {
  setsid "$@" &
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

# A port of 127.0.0.1 that is free now, and of those that the system gives to nobody by itself.
free_port() {
  node -e '
    const tried = () => {
      const port = 15000 + Math.floor(Math.random() * 15000);
      const server = require("net").createServer();
      server.on("error", tried);
      server.listen(port, "127.0.0.1", () => server.close(() => console.log(port)));
    };
    tried();
  '
}

# Waits until the program started last answers at an address, for at most two minutes.
wait_for() {
  local pid="${started[-1]}"
  for _ in $(seq 1200); do
    if ! kill -0 "$pid" 2>/dev/null; then
      printf 'the program that was to answer at %s has ended\n' "$1" >&2
      return 1
    fi
    curl --silent --fail --max-time 5 --output /dev/null "$1" && return 0
    sleep 0.1
  done
  printf '%s does not answer\n' "$1" >&2
  return 1
}

# Mail goes into folder $1, a file for each letter.
use_file_box() {
  export CROSSVAT_EMAIL__TRANSPORT=file
  export CROSSVAT_EMAIL__FROM='Crossvat <crossvat@localhost.example>'
  export CROSSVAT_EMAIL__FOLDER="$1"
}

# Secrets of second factors are kept under a key in file $1, which is made when it is missing, for its owner alone.
use_second_factors() {
  if [ ! -s "$1" ]; then
    (umask 077 && od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n' >"$1")
  fi
  CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY="$(cat "$1")"
  export CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY
}

# The registries as the simulator on port $1 plays them.
use_simulator() {
  export CROSSVAT_HMRC__BASE_URL="http://127.0.0.1:$1"
  export CROSSVAT_HMRC__CLIENT_ID=sandbox-client
  export CROSSVAT_HMRC__CLIENT_SECRET=sandbox-secret
  export CROSSVAT_VIES__BASE_URL="http://127.0.0.1:$1/taxation_customs/vies/rest-api"
}

# Starts the registry simulator $1 on a free port, $simulator_port from then on, as the registries of what is started later.
# More arguments are its own.
start_simulator() {
  simulator_port="$(free_port)"
  start "$1" --quiet --bind "127.0.0.1:$simulator_port" "${@:2}" >/dev/null
  wait_for "http://127.0.0.1:$simulator_port/control/state"
  use_simulator "$simulator_port"
}
