import { pageNamespace } from '@/lib/messages/page-words'
import type { Failure } from './outcomes'

/** Tells why there was no response. */
export const connectionCode = () => (navigator.onLine === false ? 'offline' : 'unreachable')

/*
 * Describes failures to load one of this page's scripts. describe-failure.ts cannot: it may be in the script that did not load.
 */

function connectionFailure(): Failure {
  const code = connectionCode()
  const { titles, checkConnection } = pageNamespace('failures')
  return { title: titles[code], detail: checkConnection, fields: {}, code }
}

function outOfDate(): Failure {
  const { titles, reloadPage } = pageNamespace('failures')
  return { title: titles.outOfDate, detail: reloadPage, fields: {}, code: 'out_of_date' }
}

/** How many milliseconds the server may take to answer. */
const answerTimeout = 5_000

function serverAnswers(): Promise<boolean> {
  const answered = fetch('/api/health', { cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  return Promise.race([answered, new Promise<false>((resolve) => setTimeout(resolve, answerTimeout, false))])
}

/**
 * Loads one of this page's scripts on demand. If it fails twice while the server answers, it is gone: an update has replaced it
 * since the page opened.
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<{ script: T } | { failure: Failure }> {
  const loading = () => load().then((script) => ({ script }))
  return loading().catch(async () =>
    (await serverAnswers()) ? loading().catch(() => ({ failure: outOfDate() })) : { failure: connectionFailure() },
  )
}
