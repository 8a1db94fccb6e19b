#!/usr/bin/env bash
# The steps of the Dockerfile, in a file of their own so that they also run without Docker:
#   scripts/image.sh assemble FOLDER   copies the build and its runtime dependencies to FOLDER
#   scripts/image.sh try FOLDER        starts it on an empty database, waits until it is healthy, uses it and runs a command beside it
set -euo pipefail

# Dependencies that only the build needs.
build_only=(@tailwindcss/postcss @types/node @types/react @types/react-dom @zxcvbn-ts/language-common esbuild prisma tailwindcss typescript)

assemble() {
  mkdir -p "$1/prisma"
  cp -R package.json package-lock.json next.config.mjs build .next public node_modules LICENSE "$1"
  for provider in sqlite postgresql; do
    mkdir "$1/prisma/$provider"
    cp -R "prisma/$provider/migrations" "$1/prisma/$provider"
  done
  cd "$1"
  rm -rf node_modules/.cache .next/cache .next/dev .next/types build/*.map build/chunks/*.map
  npm pkg delete "${build_only[@]/#/dependencies.}" allowScripts scripts
  npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund
  # Source maps, type declarations, and Prisma's query compilers for other databases.
  find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
  find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_small_*.postgresql.*' \
    ! -name '*_small_*.sqlite.*' -delete
  # OpenTelemetry's second and third build; Node loads the first.
  rm -rf node_modules/@opentelemetry/*/build/es*
  # Next's compiler, the sources of the SQLite driver, and its binaries for other platforms.
  rm -rf node_modules/@next/swc-* node_modules/@photostructure/sqlite/{binding.gyp,scripts,src}
  find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 ! -name "$(node -p '`${process.platform}-${process.arch}`')" -exec rm -rf {} +
}

# A sign-up uses the hash worker, the database and the signing key; a page uses Next.
visit='
const at = `http://127.0.0.1:${process.env.PORT}`
const headers = { "Content-Type": "application/json" }
const body = JSON.stringify({ username: "image", password: "correct horse" })
const answers = [await fetch(`${at}/api/signup`, { method: "POST", headers, body }), await fetch(`${at}/signin`)]
if (!answers.every((answer) => answer.ok)) throw new Error(answers.map((answer) => answer.status).join())
'

try() {
  cd "$1"
  local data port=${PORT:-3999}
  data=$(mktemp -d)
  NODE_ENV=production HOST=127.0.0.1 PORT=$port DATABASE_URL="file:$data/latchkey.db" node build/server.mjs &
  local server=$!
  # shellcheck disable=SC2064
  trap "kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf $data" EXIT
  for _ in $(seq 100); do
    if PORT=$port node build/healthy.mjs; then
      PORT=$port node --input-type=module -e "$visit"
      DATABASE_URL="file:$data/latchkey.db" node build/accounts.mjs show image --json | grep -q '"username":"image"'
      echo "The image works: $(du -sm . | cut -f1) MB."
      return
    fi
    sleep 0.1
  done
  echo 'The server did not become healthy.' >&2
  return 1
}

"$@"
