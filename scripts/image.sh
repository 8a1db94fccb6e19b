#!/usr/bin/env bash
# scripts/image.sh FOLDER copies what runs to FOLDER, for the Dockerfile and for `npm run pack`: the build and its runtime
# dependencies. With ALL_PLATFORMS=1 it has the SQLite driver's binaries for all platforms, not for this one alone.
set -euo pipefail
[ $# = 1 ] || { sed -n 2,3p "$0" >&2; exit 2; }
[[ $1 = /* ]] || set -- "$PWD/$1"
cd "$(dirname "$0")/.."
source=$PWD

# Dependencies that only the build needs.
build_only=(@tailwindcss/postcss @types/node @types/react @types/react-dom @zxcvbn-ts/language-common @zxcvbn-ts/language-en esbuild prisma tailwindcss typescript)

# Dependencies that the build puts into its bundles, whose licences go along.
bundled=(@humanwhocodes/momoa @simplewebauthn/{browser,server} @upstash/{ratelimit,redis} bcryptjs commander cookie ipaddr.js jose nodemailer qr srvx zod)

# Parts of Next that only `next build` and `next dev` load.
next_build_only=(
  # Its manual, its copies for bundlers, and tools for developers.
  docs esm bundle-analyzer next-devtools compiled/{next-devtools,@modelcontextprotocol}
  # Compilers, and what they compile in: fonts, polyfills, pictures made of JSX.
  compiled/{babel,babel-packages,terser,postcss-*,cssnano-simple,schema-utils*,crypto-browserify}
  compiled/{@next,@vercel/nft,@vercel/og}
  # React for pages: app-page-turbo.runtime.prod.js, which stays, contains it.
  compiled/{react,react-dom,react-server-dom-*,*-experimental}
  compiled/next-server/*.dev.js
)

mkdir -p "$1/prisma" "$1/build"
cp package.json package-lock.json next.config.mjs LICENSE "$1"
# By their names, since tests that run beside this put files of their own into the folder, and take them away again.
for file in accounts dev-server doctor hash-worker healthy latchkey migrate purge-worker server; do
  [ ! -e build/$file.mjs ] || cp build/$file.mjs "$1/build"
done
for file in chunks common-passwords.txt; do [ ! -e build/$file ] || cp -R build/$file "$1/build"; done
# Without what builds and tests have kept, which is larger than the rest.
tar -c --exclude .next/cache --exclude .next/dev --exclude node_modules/.cache .next node_modules | tar -x -C "$1"
# A fork may have none.
[ ! -d public ] || cp -R public "$1"
for provider in sqlite postgresql; do
  mkdir "$1/prisma/$provider"
  cp -R "prisma/$provider/migrations" "$1/prisma/$provider"
done
cd "$1"
rm -rf .next/{build,diagnostics,trace,trace-build,types}
# With what tests need goes the override that names typescript, which npm could not resolve offline.
left_out=("${build_only[@]}" "${bundled[@]}")
left_out=("${left_out[@]/#/dependencies[}")
npm pkg delete "${left_out[@]/%/]}" devDependencies overrides.openapi-typescript scripts
npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund
# typescript: npm may keep it as an optional peer of Prisma's client, which never loads it. @next/swc-*, postcss: Next's compilers.
# nice: sets priorities of piscina's threads, which ours do not use. node-addon-api: the headers of the SQLite driver.
rm -rf node_modules/typescript node_modules/@next/swc-* node_modules/next/node_modules/postcss node_modules/@napi-rs node_modules/node-addon-api
# Without quotes, because some are patterns.
for part in "${next_build_only[@]}"; do rm -rf node_modules/next/dist/$part; done
# React's development builds, its build for Bun, and what only compilers load of styled-jsx.
rm -rf node_modules/react-dom/cjs/*.{development,profiling}.js node_modules/react-dom/cjs/*.bun.*.js node_modules/styled-jsx/dist/{babel,webpack}
# Prisma's query compilers for other databases and for CommonJS.
find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_small_*.postgresql.*mjs' ! -name '*_small_*.sqlite.*mjs' -delete
# OpenTelemetry's second and third build, of which Node loads the first, and names that no stable version has.
rm -rf node_modules/@opentelemetry/*/build/es* node_modules/@opentelemetry/semantic-conventions/dist/{experimental_,index-incubating}*
# What compilers know about browsers.
rm -rf node_modules/caniuse-lite node_modules/baseline-browser-mapping
# The sources of the SQLite driver, and, for an image, its binaries for other platforms and for Alpine's libc.
rm -rf node_modules/@photostructure/sqlite/{binding.gyp,scripts,src}
if [ -z "${ALL_PLATFORMS:-}" ]; then
  find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 ! -name "$(node -p '`${process.platform}-${process.arch}`')" -exec rm -rf {} +
  find node_modules/@photostructure/sqlite/prebuilds -name '*.musl.node' -delete
fi
# Executables, packages' own tests, and what no package is in.
rm -rf node_modules/.bin node_modules/.package-lock.json node_modules/{,@*/}*/{test,tests,benchmarks,examples}
find node_modules -type d -empty -delete
# Source maps, TypeScript, and manuals; licences stay.
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -iname '*.md' ! -iname 'licen[cs]e*' \) -delete

node "$source/scripts/build/deployed-tree.mjs" "$source" "${bundled[@]}"
