import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { reportUnavailable } from '@/lib/database/write-probe'
import { singleton } from '@/lib/process/singleton'

/** Next passes an error's digest to app/error.tsx, and nothing else of it. */
const digest: ErrorCode = 'unavailable'

const renderUnderWay = () => singleton('render-under-way', () => new AsyncLocalStorage<{ wasUnavailable: boolean }>())

/** @param render gets whether `orUnavailable` has thrown in it so far */
export function watchRender<R>(render: (wasUnavailable: () => boolean) => R): R {
  const state = { wasUnavailable: false }
  return renderUnderWay().run(state, () => render(() => state.wasUnavailable))
}

/** Loads what a page shows. That the database or the backend is unavailable is no bug of the page, and logged as what it is. */
export async function orUnavailable<T>(load: () => Promise<T>): Promise<T> {
  const render = renderUnderWay().getStore()
  // Next renders titles again for the page that it shows instead, whose loads would wait as long once more.
  if (render?.wasUnavailable) throw pageUnavailable()
  try {
    return await load()
  } catch (error) {
    if (isPageUnavailable(error)) throw error
    if (isUnavailable(error)) reportUnavailable(error)
    // The call of the backend has logged this, or the backend itself.
    else if (!(isApiError(error) && error.code === 'unavailable')) throw error
    if (render) render.wasUnavailable = true
    throw pageUnavailable()
  }
}

const pageUnavailable = () => Object.assign(new ApiError('unavailable'), { digest })

/** Whether `orUnavailable` has thrown this. */
export const isPageUnavailable = (error: unknown): boolean =>
  isApiError(error) && 'digest' in error && error.digest === digest
