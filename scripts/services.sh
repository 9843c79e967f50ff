#!/usr/bin/env bash
# Runs a command with the services that tests need, and ends them with it:
#   scripts/services.sh cargo nextest run --package crossvat limits
# TEST_POSTGRES_URL and TEST_REDIS_URL tell the command where they are. What these already name is used; else a private
# server is started in a temporary folder on a free port. Nothing on the machine is touched.
set -euo pipefail
. "$(dirname "$0")/lib.sh"

if [ "$#" -eq 0 ]; then
  printf 'usage: scripts/services.sh <command> [arguments]\n' >&2
  exit 2
fi

folder="$(mktemp -d)"
postgres=''
stop_services() {
  # The one signal by which PostgreSQL ends without waiting for its clients.
  if [ -n "$postgres" ]; then kill -INT "$postgres" 2>/dev/null || true; fi
  stop_started
  rm -rf "$folder"
}
trap stop_services EXIT

# A server ends with this script even when that is killed. PostgreSQL refuses to work for root.
as_owner=(setpriv --pdeathsig INT)
if [ "$(id -u)" -eq 0 ]; then
  as_owner+=(--reuid=postgres --regid=postgres --clear-groups)
  chown postgres: "$folder"
fi

# Waits until a command succeeds, for at most two minutes, of the program started last: `answers <name> <log> <command>`.
answers() {
  local name="$1" log="$2" pid="${started[-1]}"
  shift 2
  for _ in $(seq 1200); do
    "$@" >/dev/null 2>&1 && return 0
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  printf '%s does not answer\n' "$name" >&2
  if [ -s "$log" ]; then tail -n 20 "$log" >&2; fi
  return 1
}

if [ -n "${TEST_POSTGRES_URL:-}" ]; then
  pg_isready --quiet --dbname="$TEST_POSTGRES_URL" || { printf 'nothing answers at TEST_POSTGRES_URL\n' >&2; exit 1; }
else
  port="$(free_port)"
  "${as_owner[@]}" initdb --pgdata="$folder/postgres" --username=postgres --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync \
    >"$folder/initdb.log" || { cat "$folder/initdb.log" >&2; exit 1; }
  start "${as_owner[@]}" postgres -D "$folder/postgres" -k "$folder" -p "$port" \
    -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off >"$folder/postgres.log" 2>&1
  postgres="${started[-1]}"
  answers PostgreSQL "$folder/postgres.log" pg_isready --host=127.0.0.1 --port="$port" --username=postgres
  psql --quiet --host=127.0.0.1 --port="$port" --username=postgres --set=ON_ERROR_STOP=1 \
    --command='CREATE ROLE crossvat LOGIN CREATEDB' --command='CREATE DATABASE crossvat OWNER crossvat' postgres
  export TEST_POSTGRES_URL="postgres://crossvat@127.0.0.1:$port/crossvat"
fi

if [ -n "${TEST_REDIS_URL:-}" ]; then
  [ "$(redis-cli -u "$TEST_REDIS_URL" ping 2>/dev/null)" = PONG ] || { printf 'nothing answers at TEST_REDIS_URL\n' >&2; exit 1; }
else
  port="$(free_port)"
  start setpriv --pdeathsig TERM redis-server --bind 127.0.0.1 --port "$port" --save '' --appendonly no --dir "$folder" \
    >"$folder/redis.log" 2>&1
  answers Redis "$folder/redis.log" redis-cli -p "$port" ping
  export TEST_REDIS_URL="redis://127.0.0.1:$port"
fi

"$@"
