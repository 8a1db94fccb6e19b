import { build } from 'esbuild'

/** The hash worker runs in threads of its own, from a file of its own, with bcryptjs inside. */
await build({
  entryPoints: ['lib/auth/hash-worker.mjs'],
  outfile: 'build/hash-worker.mjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
})
