import { inClearWarning, isSentInClear } from '@/lib/settings/deployment'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

export const checkBackendUrl = ({ backendUrl }: Settings): Finding[] =>
  backendUrl && isSentInClear(backendUrl) ? [warn(inClearWarning(backendUrl))] : []

/** Cannot compare the two JWT_SECRETs; if they differ, the first sign-in fails and the log says so. */
export async function checkBackend({ backendUrl, origins }: Settings): Promise<Finding[]> {
  if (!backendUrl) return []
  const request = fetch(new URL('/api/health', backendUrl), { signal: AbortSignal.timeout(5_000) })
  const response = await request.catch(() => {
    throw new Error(`${backendUrl} cannot be reached; check BACKEND_URL and whether the backend is running`)
  })
  if (!response.ok) throw new Error(`${backendUrl} answered /api/health with ${response.status}`)
  return [ok(`${backendUrl} is healthy; it must have the same JWT_SECRET and APP_ORIGIN=${origins[0]}`)]
}
