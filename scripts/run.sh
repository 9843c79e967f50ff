#!/usr/bin/env bash
# From a bare machine to a running service: builds everything, starts the registry simulator and the server, and prints
# a key, a call to try and a way into the portal. Ctrl-C ends both. State stays in run/.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

readonly port="${PORT:-8080}"
readonly simulator_port="${SIMULATOR_PORT:-8090}"
readonly state=run

# Before anything is built. Another service that answers there must not be taken for this one.
port_is_free() {
  if (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; then
    printf 'Port %s is in use, perhaps by an earlier make run. Another one: %s=%s make run\n' "$2" "$1" "$(($2 + 1))" >&2
    return 1
  fi
}
port_is_free PORT "$port"
port_is_free SIMULATOR_PORT "$simulator_port"

scripts/setup.sh build
scripts/build-site.sh
printf 'building the server\n'
cargo build --locked --package crossvat --package registry-simulator
readonly built="${CARGO_TARGET_DIR:-target}/debug"

# Keys, letters and what people typed are nobody else's business on this machine.
umask 077
mkdir -p "$state"
chmod 700 "$state"
export CROSSVAT_DATABASE__URL="sqlite://$state/crossvat.db"
export CROSSVAT_HTTP__BIND="127.0.0.1:$port"
use_simulator "$simulator_port"
use_file_box "$state/mail"
use_second_factors "$state/second-factor-key"
# Nobody has to wait for an approval on the own machine. CROSSVAT_ACCOUNTS__SIGNUP=early_access shows the way over support.
export CROSSVAT_ACCOUNTS__SIGNUP="${CROSSVAT_ACCOUNTS__SIGNUP:-self_service}"

start "$built/registry-simulator" --quiet --bind "127.0.0.1:$simulator_port" >/dev/null
wait_for "http://127.0.0.1:$simulator_port/control/state"
start "$built/crossvat" serve
wait_for "http://127.0.0.1:$port/readyz"

# The program with the settings of this run, for commands such as `run/crossvat list-keys --organisation Demo`.
cat >"$state/crossvat" <<COMMAND
#!/usr/bin/env bash
export CROSSVAT_DATABASE__URL='sqlite://$PWD/$state/crossvat.db' CROSSVAT_HTTP__BIND='$CROSSVAT_HTTP__BIND'
CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY="\$(cat '$PWD/$state/second-factor-key')"
export CROSSVAT_ACCOUNTS__SECOND_FACTOR_KEY
exec '$(realpath "$built/crossvat")' "\$@"
COMMAND
chmod 700 "$state/crossvat"

# One key for this folder. A real key is shown once and kept by its holder.
if [ ! -s "$state/key" ]; then
  "$state/crossvat" issue-key --organisation "Demo" --name "make run" >"$state/key"
fi

# And somebody who may sign in to the portal of the same account.
if [ ! -s "$state/password" ]; then
  od -An -v -N12 -tx1 /dev/urandom | tr -d ' \n' >"$state/password.new"
  "$state/crossvat" create-member --organisation "Demo" --email demo@example.com --name "Demo Person" \
    <"$state/password.new" >/dev/null
  mv "$state/password.new" "$state/password"
fi

cat <<TEXT

Crossvat        http://127.0.0.1:$port
Registries      simulated at http://127.0.0.1:$simulator_port (its controls: /control, its log: /control/log)
Mail            a file for each letter in $state/mail
Your key        $(cat "$state/key")
The portal      sign in at http://127.0.0.1:$port/sign-in
                as demo@example.com with the password $(cat "$state/password")

Try it:

  curl http://127.0.0.1:$port/v1/verify-vat \\
    -H "Authorization: Bearer \$(cat $state/key)" \\
    -H "Content-Type: application/json" \\
    -d '{"vatNumbers": ["GB980780684", "XI980780684", "DE136695976", "FR40303265045", "EL094259216"]}'

Other numbers that these registries know: crates/vat/tests/data/vat-number-examples.csv. All others are not registered.

Switch Germany off, ask anew (with "maxAgeSeconds": 0 beside vatNumbers, else the answers you have are used), and on again
(after five failures running Germany is left alone for a minute):

  curl -X PUT http://127.0.0.1:$simulator_port/control/vies/DE -d '{"condition":"down"}'
  curl -X PUT http://127.0.0.1:$simulator_port/control/vies/DE -d '{"condition":"up"}'

Support staff: make the first one, whose password it asks for, then sign in at http://127.0.0.1:$port/staff/sign-in

  $state/crossvat create-staff --email sam@example.com --name "Sam Smith"

An account of your own: sign up at http://127.0.0.1:$port/sign-up; the link that confirms the address is in the newest file of
$state/mail.

Ctrl-C ends it.
TEXT
wait -n "${started[@]}"
