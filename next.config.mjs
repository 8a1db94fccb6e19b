import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` checks types; a build must not need the packages that only the tests import.
  typescript: { ignoreBuildErrors: true },
  // Names the root, because Next would otherwise move it to a folder above that has a lock file, and trace other files.
  turbopack: { root: dirname(fileURLToPath(import.meta.url)) },
  // No page shows an image that needs optimizing, and package.json leaves that library out.
  images: { unoptimized: true },
  // Streams metadata to nobody: when a slow device refreshes a page, a streamed title goes away for a moment.
  htmlLimitedBots: /./,
  experimental: {
    // Leaves out Next's copies of the route files, which would take half of the start: server.ts answers the endpoints.
    preloadEntriesOnStart: false,
    // Drops what only other pages import from it: for all Turbopack knows, its index has side effects.
    optimizePackageImports: ['@simplewebauthn/browser'],
    // Allows as much as a Server Action may take: proxy.ts keeps each body in memory, and Next's own limit is ten times this.
    proxyClientMaxBodySize: '1mb',
    // Makes one script for Next, one for the layout and one for the page. Most people see two pages, so that each further request
    // costs a first visit more than sharing between pages saves.
    turbopackChunking: {
      firstPageLoadPriority: 1,
      requestCost: 1e8,
      minChunkSize: 1e8,
      maxMergeChunkSize: 1e8,
      maxChunkCountPerGroup: 1,
    },
  },
  // Turbopack does not trace files that load at run time: piscina's worker, and those of pino and the SQLite driver.
  serverExternalPackages: [
    'piscina',
    'pino',
    '@photostructure/sqlite',
    '@prisma/adapter-pg',
    'pg',
    'ioredis',
    // Both builds in this process share one copy, which loads only where telemetry is on.
    ...Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/')),
  ],
  headers: async () => [
    { source: '/:path*', missing: [{ type: 'header', key: 'content-security-policy' }], headers: commonHeaders },
    { source: '/brand/:name(logo|logo-dark)', headers: [{ key: 'Content-Security-Policy', value: logoPolicy }] },
  ],
  // Where a request is hidden (lib/http/pages/prepare.ts), to a path that has no page.
  rewrites: async () => ({
    beforeFiles: [{ source: '/:path*', has: [{ type: 'header', key: 'latchkey-hidden' }], destination: '/_/:path*' }],
  }),
  outputFileTracingIncludes: { '/api/**': ['./build/hash-worker.mjs', './build/common-passwords.txt'] },
}

/**
 * The headers of responses that our process does not send, such as files on Vercel, where every origin is https. Our process sets
 * the same on every response (lib/http/server/every-response.ts), and on pages a stricter policy (lib/http/pages/prepare.ts),
 * which these would replace.
 */
const commonHeaders = [
  { key: 'Content-Security-Policy', value: "frame-ancestors 'none'" },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  ...(process.env.VERCEL ? [{ key: 'Strict-Transport-Security', value: 'max-age=63072000' }] : []),
]

/** The same as in lib/http/resources/well-known.ts: a header from here keeps the route from setting its own. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

export default config
