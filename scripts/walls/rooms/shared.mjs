/**
 * What server and browser share.
 *
 * @type {import('../rooms.mjs').Room[]}
 */
export const shared = [
  {
    room: 'lib/activity',
    imports: ['lib/messages', 'lib/api'],
    packages: [],
    why: 'It touches neither a page nor a request.',
  },
  { room: 'lib/messages', inner: ['format'], importsOnly: ['lib/api/errors'], packages: [] },
  {
    room: 'lib/api/openapi',
    imports: ['lib/api'],
    packages: ['zod'],
    why: 'It describes the contract to other programs.',
  },
  {
    room: 'lib/api',
    imports: ['lib/api/schemas.ts', 'lib/api/errors.ts', 'lib/api/limits.ts'],
    importsOnly: ['lib/api/endpoints'],
    packages: ['zod'],
    why: 'endpoints.ts is the door of endpoints/.',
  },
  {
    room: 'lib/api/endpoints',
    imports: ['lib/api/schemas.ts', 'lib/api/errors.ts'],
    importsOnly: ['lib/api/oauth-errors.ts'],
    packages: ['zod'],
  },
  { room: 'lib/api/oauth-errors.ts', imports: ['lib/api/errors.ts'], packages: [] },
  {
    room: 'lib/api/schemas.ts',
    imports: ['lib/api/errors.ts', 'lib/api/limits.ts'],
    importsOnly: ['lib/api/schemas'],
    packages: ['zod'],
    why: 'It is the door of schemas/.',
  },
  {
    room: 'lib/api/schemas',
    imports: ['lib/api/errors.ts', 'lib/api/limits.ts', 'lib/api/failure-events.ts'],
    packages: ['zod'],
  },
  { room: 'lib/api/errors.ts', packages: [] },
  { room: 'lib/api/limits.ts', packages: [] },
  { room: 'lib/api/failure-events.ts', packages: [] },
  { room: 'lib/api/headers.ts', packages: [] },
  { room: 'lib/api/cookie-age.ts', packages: [] },
  { room: 'lib/api/with-next.ts', packages: [] },
  { room: 'lib/api/transports.ts', packages: [] },
]
