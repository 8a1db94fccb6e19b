import { bodyMode, rows } from '@/lib/api/endpoints'

/** The POST endpoints, each with a body of the right media type that asks for nothing; undefined where none is read. */
export const ENDPOINTS: readonly { path: string; body?: object }[] = rows
  .filter(({ method }) => method === 'POST')
  .map((row) => (bodyMode(row) === 'ignored' ? { path: row.path } : { path: row.path, body: {} }))
