import { AsyncLocalStorage } from 'node:async_hooks'
import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { isUnavailable } from '@/lib/database/errors'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'

/** Next passes an error's digest to app/error.tsx, and nothing else of it. */
const digest: ErrorCode = 'unavailable'

const renders = () => singleton('renders', () => new AsyncLocalStorage<{ wasUnavailable: boolean }>())

/** @param render gets whether `orUnavailable` has thrown in it so far */
export function watchRender<R>(render: (wasUnavailable: () => boolean) => R): R {
  const current = { wasUnavailable: false }
  return renders().run(current, () => render(() => current.wasUnavailable))
}

/** Loads what a page shows. That the database or the backend is unavailable is logged as such: it is no bug of the page. */
export async function orUnavailable<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const isOfDatabase = isUnavailable(error)
    const isOfBackend = isApiError(error) && error.code === 'unavailable'
    if (isPageUnavailable(error) || !(isOfDatabase || isOfBackend)) throw error
    log().warn({ err: error }, isOfDatabase ? 'database unavailable' : 'backend unavailable')
    const current = renders().getStore()
    if (current) current.wasUnavailable = true
    throw Object.assign(new ApiError('unavailable'), { digest })
  }
}

/** Whether `orUnavailable` has thrown this. */
export const isPageUnavailable = (error: unknown): boolean =>
  isApiError(error) && 'digest' in error && error.digest === digest
