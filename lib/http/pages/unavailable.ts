import { AsyncLocalStorage } from 'node:async_hooks'
import type { PostPath, PostResult } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { fetchRemote, type PageCall } from '../remote-backend'

/** Next passes an error's digest to app/error.tsx, and nothing else of it. */
const digest: ErrorCode = 'unavailable'

const renderUnderWay = () => singleton('render-under-way', () => new AsyncLocalStorage<{ wasUnavailable: boolean }>())

/** Runs a render, and lets it ask whether `orUnavailable` has thrown in it so far. */
export function watchRender<R>(render: (wasUnavailable: () => boolean) => R): R {
  const state = { wasUnavailable: false }
  return renderUnderWay().run(state, () => render(() => state.wasUnavailable))
}

/** Loads data for a page. Logs an unavailable database or backend as such, not as a bug of the page. */
async function orUnavailable<T>(load: () => Promise<T>): Promise<T> {
  const render = renderUnderWay().getStore()
  // Next renders the title once more for its error page: that load would wait just as long.
  if (render?.wasUnavailable) throw pageUnavailable()
  try {
    return await load()
  } catch (error) {
    if (isPageUnavailable(error)) throw error
    if (isUnavailable(error)) reportUnavailable(error)
    // The call of the backend, or the backend itself, has logged this.
    else if (!(isApiError(error) && error.code === 'unavailable')) throw error
    if (render) render.wasUnavailable = true
    throw pageUnavailable()
  }
}

const pageUnavailable = () => Object.assign(new ApiError('unavailable'), { digest })

/** True for an error that `orUnavailable` has thrown. */
export const isPageUnavailable = (error: unknown): boolean =>
  isApiError(error) && 'digest' in error && error.digest === digest

/** On a front end, calls the backend's endpoint; elsewhere runs `locally`. */
export function loadLocallyOrRemotely<P extends PostPath>(
  call: PageCall<P>,
  locally: () => Promise<PostResult<P> | null>,
): Promise<PostResult<P> | null> {
  const { backendUrl } = settings()
  return orUnavailable(() => (backendUrl ? fetchRemote(backendUrl, call) : locally()))
}
