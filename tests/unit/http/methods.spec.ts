import { expect, test } from 'playwright/test'
import { pathMatcher } from '@/lib/http/server/next'
import { kindOfPath, methodsOf } from '@/lib/http/server/paths'

const everything = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

test("a fork's own pages and route files keep all their methods, also with a dot or an encoded slash in their path", () => {
  // In the form of Next's routes-manifest.json.
  const hasRoute = pathMatcher({
    staticRoutes: ['shop', 'api/own', 'hooks/stripe.json', 'signin/more', 'caf\u00e9'].map((path) => ({
      regex: `^/${path}(?:/)?$`,
    })),
    dynamicRoutes: [{ page: '/notes/[id]', regex: '^/notes/([^/]+?)(?:/)?$' }],
    redirects: [
      { regex: '^/api/former(?:/)?$' },
      { regex: '^(?!/_next)(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?(?:/)?$' },
      { regex: '^(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))/$', internal: true },
    ],
    rewrites: { beforeFiles: [], afterFiles: [{ regex: '^/old(?:/)?$' }], fallback: [] },
  })
  const pages = ['/shop', '/hooks/stripe.json', '/signin/more', '/caf%C3%A9', '/notes/7', '/notes/a%2Fb', '/old']
  for (const path of [...pages, '/api/own', '/api/former']) {
    expect(kindOfPath(path, hasRoute), path).toBe('route')
    expect(methodsOf(path, kindOfPath(path, hasRoute)), path).toEqual(everything)
  }
  for (const path of ['/signin', '/%73ignin']) expect(kindOfPath(path, hasRoute), path).toBe('page')
  for (const path of ['/nothing', '/%73hop', '/notes/a/b', '/nothing/', '/notes/%zz/b', '/_next/nothing'])
    expect(kindOfPath(path, hasRoute), path).toBe('nothing')
})

test('a path with dot segments is no route, whatever it leads to: Next resolves them, and a page takes its turn and no body', () => {
  const hasRoute = () => true
  const up = ['/api/../signin', '/api/%2e%2E/signin', '/api/.%2e', '/%61pi/x/../..', '/api/..\\signin', '/api/./x']
  for (const path of up) expect(kindOfPath(path, hasRoute), path).toBe('unknown')
  for (const path of ['/shop/..', '/notes/%2e%2e/signin', '/api\\..\\signin', '/./signin', '/shop/..\\signin'])
    expect(kindOfPath(path, hasRoute), path).toBe('nothing')
  for (const path of ['/api/..x', '/api/...', '/api/x.y', '/notes/%2e%2e%2e', '/notes/..%2fx'])
    expect(kindOfPath(path, hasRoute), path).toBe('route')
})

test('a path below /api that neither the table nor the build has is unknown, although our own route file there would answer', () => {
  const hasRoute = pathMatcher({
    staticRoutes: [{ page: '/api/i', regex: '^/api/i(?:/)?$' }],
    dynamicRoutes: [
      { page: '/api/[...path]', regex: '^/api/(.+?)(?:/)?$' },
      { page: '/api/shop/[...rest]', regex: '^/api/shop/(.+?)(?:/)?$' },
    ],
    redirects: [],
    rewrites: { beforeFiles: [], afterFiles: [], fallback: [] },
  })
  for (const path of ['/api/nowhere', '/api/nowhere/', '/api/%zz', '/api/%69', '/api/i%2f', '/api/shop']) {
    expect(kindOfPath(path, hasRoute), path).toBe('unknown')
    expect(methodsOf(path, 'unknown'), path).toEqual(everything)
  }
  expect(kindOfPath('/api/shop/cart', hasRoute)).toBe('route')
})
