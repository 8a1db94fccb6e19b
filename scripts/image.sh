#!/usr/bin/env bash
# scripts/image.sh FOLDER copies what runs to FOLDER, for the Dockerfile: the build and its runtime dependencies.
# A file of its own, so that it also runs without Docker.
set -euo pipefail
[ $# = 1 ] || { sed -n 2p "$0" >&2; exit 2; }
[[ $1 = /* ]] || set -- "$PWD/$1"
cd "$(dirname "$0")/.."

# Dependencies that only the build needs.
build_only=(@tailwindcss/postcss @types/node @types/react @types/react-dom @zxcvbn-ts/language-common @zxcvbn-ts/language-en esbuild prisma tailwindcss typescript)

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

mkdir -p "$1/prisma"
cp -R package.json package-lock.json next.config.mjs build .next node_modules LICENSE "$1"
# A fork may have none.
[ ! -d public ] || cp -R public "$1"
for provider in sqlite postgresql; do
  mkdir "$1/prisma/$provider"
  cp -R "prisma/$provider/migrations" "$1/prisma/$provider"
done
cd "$1"
rm -rf node_modules/.cache .next/cache .next/dev .next/types
# With what tests need goes the override that names typescript, which npm could not resolve offline.
npm pkg delete "${build_only[@]/#/dependencies.}" devDependencies overrides.openapi-typescript scripts
npm prune --omit=dev --ignore-scripts --offline --no-audit --no-fund
# typescript: npm may keep it as an optional peer of Prisma's client, which never loads it. @next/swc-*: Next's compiler.
rm -rf node_modules/typescript node_modules/@next/swc-*
# Without quotes, because some are patterns.
for part in "${next_build_only[@]}"; do rm -rf node_modules/next/dist/$part; done
# React's development builds.
rm -f node_modules/react-dom/cjs/*.{development,profiling}.js
# Prisma's query compilers for other databases and for CommonJS.
find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*_small_*.postgresql.*mjs' ! -name '*_small_*.sqlite.*mjs' -delete
# OpenTelemetry's second and third build, of which Node loads the first, and names that no stable version has.
rm -rf node_modules/@opentelemetry/*/build/es* node_modules/@opentelemetry/semantic-conventions/dist/{experimental_,index-incubating}*
# What compilers know about browsers.
rm -rf node_modules/caniuse-lite node_modules/baseline-browser-mapping
# The sources of the SQLite driver, and its binaries for other platforms and for Alpine's libc.
rm -rf node_modules/@photostructure/sqlite/{binding.gyp,scripts,src}
find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 ! -name "$(node -p '`${process.platform}-${process.arch}`')" -exec rm -rf {} +
find node_modules/@photostructure/sqlite/prebuilds -name '*.musl.node' -delete
# Source maps, TypeScript, and manuals; licences stay.
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -iname '*.md' ! -iname 'licen[cs]e*' \) -delete

# Next traces which files of itself its server loads: an upgrade of Next must not move one among those left out.
find .next -name '*.nft.json' | node -e '
  const { existsSync, readFileSync } = require("node:fs")
  const { dirname, join } = require("node:path")
  const traces = readFileSync(0, "utf8").split("\n").filter(Boolean)
  const traced = traces.flatMap((trace) => JSON.parse(readFileSync(trace, "utf8")).files.map((file) => join(dirname(trace), file)))
  const missing = traced.filter((file) => /^(\.next|node_modules\/next)\//.test(file) && !existsSync(file))
  if (missing.length > 0) throw new Error(`scripts/image.sh leaves out what the server loads:\n${[...new Set(missing)].join("\n")}`)'
# The traces are for hosts of single functions.
find .next -name '*.nft.json' -delete
