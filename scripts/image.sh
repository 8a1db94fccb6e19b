#!/usr/bin/env bash
# The steps of the Dockerfile, in a file of their own so that they also run without Docker.
set -euo pipefail
[[ ${2:-/} = /* ]] || set -- "$1" "$PWD/$2" "${@:3}"
cd "$(dirname "$0")/.."
source=$PWD

usage() {
  cat >&2 <<'END'
scripts/image.sh assemble FOLDER   copies the build and its runtime dependencies to FOLDER
scripts/image.sh try FOLDER        starts it on an empty database, uses it without telemetry and with, and runs a command
END
  exit 2
}

# Dependencies that only the build needs.
build_only=(@tailwindcss/postcss @types/node @types/react @types/react-dom @zxcvbn-ts/language-common @zxcvbn-ts/language-en esbuild prisma tailwindcss typescript)

assemble() {
  mkdir -p "$1/prisma"
  cp -R package.json package-lock.json next.config.mjs build .next node_modules LICENSE "$1"
  # A fork may have none.
  [ ! -d public ] || cp -R public "$1"
  for provider in sqlite postgresql; do
    mkdir "$1/prisma/$provider"
    cp -R "prisma/$provider/migrations" "$1/prisma/$provider"
  done
  cd "$1"
  rm -rf node_modules/.cache .next/cache .next/dev .next/types build/*.map build/chunks/*.map
  # With what tests need goes the override that names typescript, which npm could not resolve offline.
  npm pkg delete "${build_only[@]/#/dependencies.}" devDependencies overrides.openapi-typescript scripts
  npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund
  # Source maps, type declarations, and Prisma's query compilers for other databases.
  find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
  find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_small_*.postgresql.*' \
    ! -name '*_small_*.sqlite.*' -delete
  # typescript: npm may keep it as an optional peer of Prisma's client, which never loads it. next/dist/docs: Next's manual.
  rm -rf node_modules/typescript node_modules/next/dist/docs
  # OpenTelemetry's second and third build; Node loads the first.
  rm -rf node_modules/@opentelemetry/*/build/es*
  # Next's compiler, the sources of the SQLite driver, and its binaries for other platforms.
  rm -rf node_modules/@next/swc-* node_modules/@photostructure/sqlite/{binding.gyp,scripts,src}
  find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 ! -name "$(node -p '`${process.platform}-${process.arch}`')" -exec rm -rf {} +
}

# Starts the server, visits it and stops it, under the settings of the environment.
serve() {
  node build/server.mjs &
  server=$!
  for _ in $(seq 100); do
    if node build/healthy.mjs; then
      USERNAME=$1 node "$source/scripts/support/visit-image.mjs"
      kill $server
      wait $server
      server=
      return
    fi
    sleep 0.1
  done
  echo 'The server did not become healthy.' >&2
  return 1
}

try() {
  cd "$1"
  server=
  data=$(mktemp -d)
  export NODE_ENV=production HOST=127.0.0.1 PORT=${PORT:-3999} DATABASE_URL="file:$data/latchkey.db"
  trap '[ -z "$server" ] || kill $server || true; wait; rm -rf "$data"' EXIT
  serve image
  OTEL_METRICS_EXPORTER=prometheus APP_ACCENT='#7a1fa2' APP_LOGO=public/icon.svg OTEL_EXPORTER_PROMETHEUS_PORT=3998 METRICS=http://127.0.0.1:3998/metrics serve measured
  [ "$(node build/accounts.mjs list --json | grep -o '"username":"[a-z]*"' | sort | xargs)" = 'username:image username:measured' ]
  echo "The image works: $(du -sm . | cut -f1) MB."
}

case ${1:-}:$# in
  assemble:2 | try:2) "$@" ;;
  *) usage ;;
esac
