import type { PostPath, PostResult } from '@/lib/api/endpoints'
import { settings } from '@/lib/settings/settings'
import { fetchRemote, type PageCall } from '../remote-backend/fetch-remote'
import { orUnavailable } from './unavailable'

/** Calls the backend's endpoint on a front end; elsewhere runs `locally`. */
export function loadLocallyOrRemotely<P extends PostPath>(
  call: PageCall<P>,
  locally: () => Promise<PostResult<P> | null>,
): Promise<PostResult<P> | null> {
  const { backendUrl } = settings()
  return orUnavailable(() => (backendUrl ? fetchRemote(backendUrl, call) : locally()))
}
