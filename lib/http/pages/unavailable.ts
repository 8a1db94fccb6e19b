import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { singleton } from '@/lib/process/singleton'

/** Next passes an error's digest to app/error.tsx, and nothing else of it. */
const digest: ErrorCode = 'unavailable'

const renderUnderWay = () => singleton('render-under-way', () => new AsyncLocalStorage<{ wasUnavailable: boolean }>())

/** Runs a render, and lets it ask whether what it loads was unavailable so far. */
export function watchRender<R>(render: (wasUnavailable: () => boolean) => R): R {
  const state = { wasUnavailable: false }
  return renderUnderWay().run(state, () => render(() => state.wasUnavailable))
}

/** Logs an unavailable database or backend as such, not as a bug of the page. */
export async function orUnavailable<T>(loading: () => Promise<T>): Promise<T> {
  const render = renderUnderWay().getStore()
  // Next renders the title once more for its error page: that load would wait just as long.
  if (render?.wasUnavailable) throw pageUnavailable()
  try {
    return await loading()
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

/** True for the error of a page whose data was unavailable. */
export const isPageUnavailable = (error: unknown): boolean =>
  isApiError(error) && 'digest' in error && error.digest === digest
