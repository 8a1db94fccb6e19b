import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** Packages that Node loads from node_modules instead of from Next's bundles. */
const unbundled = [
  // They load files of their own at run time, which Turbopack does not trace: workers, drivers.
  'piscina',
  'pino',
  '@photostructure/sqlite',
  '@prisma/adapter-pg',
  'pg',
  'ioredis',
  // Our server's bundle and Next's must share one copy, which loads only where telemetry is on.
  ...Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/')),
]

/** Larger than any script, in bytes. */
const unlimited = 1e8

/**
 * Makes three scripts for a page: Next's, the layout's and its own. Most people see two pages, so a further request costs a first
 * visit more than sharing scripts between pages saves.
 */
const threeScripts = {
  firstPageLoadPriority: 1,
  requestCost: unlimited,
  minChunkSize: unlimited,
  maxMergeChunkSize: unlimited,
  maxChunkCountPerGroup: 1,
}

/**
 * The headers of responses that our server does not send, such as files on Vercel, where every origin is https. Our server sets
 * the same on every response (lib/http/server/next.ts), and a stricter policy on pages (lib/http/pages/prepare.ts),
 * which this one must not replace: a header that is set here wins.
 */
const commonHeaders = [
  { key: 'Content-Security-Policy', value: "frame-ancestors 'none'" },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  ...(process.env.VERCEL ? [{ key: 'Strict-Transport-Security', value: 'max-age=63072000' }] : []),
]

/** The logo's policy, as in lib/http/resources/images.ts: the common one would replace what the route sets. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

/** @type {import('next').NextConfig} */
const config = {
  // Shows mistakes of components in `npm run dev`, and tells nobody what serves the pages.
  reactStrictMode: true,
  poweredByHeader: false,

  // A build needs no packages that only tests import: `npm run check` checks the types.
  typescript: { ignoreBuildErrors: true },
  // Without a root, Next takes a folder above that has a lock file, and traces other files.
  turbopack: { root: dirname(fileURLToPath(import.meta.url)) },
  serverExternalPackages: unbundled,
  // What a function on Vercel reads, which no import names.
  outputFileTracingIncludes: { '/api/**': ['./build/hash-worker.mjs', './build/common-passwords.txt'] },
  // No page shows an image to optimize, and package.json leaves out the library for that.
  images: { unoptimized: true },

  // Sends the title with the page, to every browser: when a slow device refreshes a page, a streamed title goes away for a moment.
  htmlLimitedBots: /./,
  experimental: {
    // Does not load Next's copies of the route files, which would take half of the start: server.ts answers the endpoints.
    preloadEntriesOnStart: false,
    // Takes from this package what a page imports: Turbopack would keep all of it, because its index might have side effects.
    optimizePackageImports: ['@simplewebauthn/browser'],
    // As much as a Server Action may take: proxy.ts keeps each body in memory, and Next's own limit is ten times this.
    proxyClientMaxBodySize: '1mb',
    turbopackChunking: threeScripts,
  },

  headers: async () => [
    { source: '/:path*', missing: [{ type: 'header', key: 'content-security-policy' }], headers: commonHeaders },
    { source: '/brand/:name(logo|logo-dark)', headers: [{ key: 'Content-Security-Policy', value: logoPolicy }] },
  ],
  // Answers a request that lib/http/pages/prepare.ts hides as one to a path that has no page.
  rewrites: async () => ({
    beforeFiles: [{ source: '/:path*', has: [{ type: 'header', key: 'latchkey-hidden' }], destination: '/_/:path*' }],
  }),
}

export default config
