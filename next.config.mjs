import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` checks types; a build must not need what only the tests import.
  typescript: { ignoreBuildErrors: true },
  // A lock file in a folder above must not move the root that files are traced and found from.
  turbopack: { root: dirname(fileURLToPath(import.meta.url)) },
  // No page shows an image that would need it, and package.json leaves its library out.
  images: { unoptimized: true },
  // Every browser, not only bots: a title that is streamed goes away for a moment when a slow device refreshes a page.
  htmlLimitedBots: /./,
  experimental: {
    // server.ts answers the endpoints, and Next's copies of their route files would take half of the start.
    preloadEntriesOnStart: false,
    // Its index has side effects for all Turbopack knows, and would bring what only other pages import from it.
    optimizePackageImports: ['@simplewebauthn/browser'],
    // What a Server Action may take. proxy.ts keeps a copy of each body in memory, and Next's own limit is ten times this.
    proxyClientMaxBodySize: '1mb',
    // One script for Next, one for the layout and one for the page: on a first visit each request costs more than what pages
    // could share saves, since a person sees two of them.
    turbopackChunking: {
      firstPageLoadPriority: 1,
      requestCost: 1e8,
      minChunkSize: 1e8,
      maxMergeChunkSize: 1e8,
      maxChunkCountPerGroup: 1,
    },
  },
  // piscina starts a worker from a file, and pino and the SQLite driver load files at run time: Turbopack traces none of that.
  serverExternalPackages: [
    'piscina',
    'pino',
    '@photostructure/sqlite',
    '@prisma/adapter-pg',
    'pg',
    'ioredis',
    // Both builds of this process share one copy, which loads only where telemetry is on.
    ...Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/')),
  ],
  headers: async () => [
    { source: '/:path*', missing: [{ type: 'header', key: 'content-security-policy' }], headers: commonHeaders },
    { source: '/brand/:name(logo|logo-dark)', headers: [{ key: 'Content-Security-Policy', value: logoPolicy }] },
  ],
  outputFileTracingIncludes: { '/api/**': ['./build/hash-worker.mjs', './build/common-passwords.txt'] },
}

/**
 * For what is served without our process, such as files on Vercel, where every origin is https. Elsewhere
 * lib/http/server/every-response.ts sets the same on every response, and lib/http/pages/prepare.ts a stricter policy on pages, which
 * these would replace.
 */
const commonHeaders = [
  { key: 'Content-Security-Policy', value: "frame-ancestors 'none'" },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  ...(process.env.VERCEL ? [{ key: 'Strict-Transport-Security', value: 'max-age=63072000' }] : []),
]

/** That of lib/http/resources/well-known.ts: what stands here keeps the route from setting its own. */
const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

export default config
