#!/bin/sh
# Does what the official image does with POSTGRES_USER and POSTGRES_PASSWORD, then serves.
set -eu
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
mkdir -p "$PGDATA"
chown postgres "$PGDATA"
as_postgres() {
  setpriv --reuid=postgres --regid=postgres --init-groups "$@"
}
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  password=$(mktemp)
  echo "$POSTGRES_PASSWORD" > "$password"
  chown postgres "$password"
  as_postgres initdb --username "$POSTGRES_USER" --pwfile "$password" --auth-local trust --auth-host scram-sha-256
  rm "$password"
  echo "CREATE DATABASE \"$POSTGRES_USER\"" | as_postgres postgres --single postgres
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -c listen_addresses='*'
