import { bodyMode, type Endpoint, endpoints } from '@/lib/api/endpoints'

/** The POST endpoints, each with a body of the right media type that asks for nothing; undefined where none is read. */
export const ENDPOINTS: readonly { path: string; body?: object }[] = Object.entries<Endpoint>(endpoints)
  .filter(([, { method }]) => method === 'POST')
  .map(([path, endpoint]) => (bodyMode(endpoint) === 'ignored' ? { path } : { path, body: {} }))
