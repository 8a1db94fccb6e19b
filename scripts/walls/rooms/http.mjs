import { frameworks } from './frameworks.mjs'

/**
 * From a request to its response, on the server.
 *
 * @type {import('../rooms.mjs').Room[]}
 */
export const http = [
  {
    room: 'lib/http/node/pages',
    door: ['pages-listener', 'next'],
    imports: ['lib/http/node'],
    importsOnly: ['lib/http/pages/unavailable'],
    without: ['react', 'react-dom'],
    why: "Next's pages; next.ts alone loads Next.",
  },
  { room: 'lib/http/node/connections', imports: ['lib/http/response'], without: frameworks },
  {
    room: 'lib/http/node',
    imports: ['lib/http', 'lib/http/preparation'],
    without: frameworks,
    why: "What Node's own server needs.",
  },
  {
    room: 'lib/http/preparation',
    imports: ['lib/http/visitor'],
    importsOnly: ['lib/http/response/security-headers'],
    without: frameworks,
    why: 'It runs before every page, and reads no database.',
  },
  {
    room: 'lib/http/pages',
    imports: ['lib/http/context', 'lib/openid/requests', 'lib/openid/logout', 'lib/auth/passkeys'],
    without: frameworks,
    why: 'Pages call no endpoint of their own server.',
  },
  {
    room: 'lib/http/resources',
    imports: ['lib/http/sessions', 'lib/openid/requests', 'lib/openid/logout', 'lib/api/openapi'],
    without: frameworks,
  },
  {
    room: 'lib/http',
    imports: ['lib/http/identity', 'lib/http/context'],
    without: frameworks,
    why: 'From a Request to a handler and back: it knows no action, no page and no Next.',
  },
  { room: 'lib/http/sessions', imports: ['lib/http/context', 'lib/auth/passkeys'], without: frameworks },
  {
    room: 'lib/http/context',
    imports: ['lib/http/origin', 'lib/http/remote-backend'],
    without: frameworks,
    why: 'It knows nothing of what is called.',
  },
  { room: 'lib/http/origin', imports: ['lib/http/response'], without: frameworks, why: 'It knows no caller.' },
  {
    room: 'lib/http/identity',
    door: ['identify-caller', 'expected-account'],
    imports: ['lib/http/request', 'lib/openid/tokens'],
    without: frameworks,
    why: 'Who calls; it knows nothing of what is called.',
  },
  {
    room: 'lib/http/response',
    imports: ['lib/http/visitor', 'lib/mark.ts'],
    without: frameworks,
    why: 'It knows no caller.',
  },
  { room: 'lib/http/remote-backend', imports: ['lib/http/request', 'lib/auth/passwords'], without: frameworks },
  {
    room: 'lib/http/visitor',
    imports: ['lib/http/request', 'lib/messages'],
    without: frameworks,
    why: 'It knows no account.',
  },
  { room: 'lib/http/request', imports: ['lib/auth/tokens'], without: frameworks },
]
