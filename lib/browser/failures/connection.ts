import { pageNamespace } from '@/lib/messages/browser-words'
import type { Failure } from './outcomes'

/** Why there was no response. */
export const connectionCode = () => (navigator.onLine === false ? 'offline' : 'unreachable')

/*
 * Failures of loading a script of this page. They are not described by describe-failure.ts, because the script that could not
 * be loaded may be the one that contains it.
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

/** How long the server may take to answer, in milliseconds. */
const answerTimeout = 5_000

function serverAnswers(): Promise<boolean> {
  const answered = fetch('/api/health', { cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  return Promise.race([answered, new Promise<false>((resolve) => setTimeout(resolve, answerTimeout, false))])
}

/**
 * Loads a script of this page when it is needed. One that fails again, while the server answers, is gone: an update has replaced
 * it since the page was opened.
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<{ script: T } | { failure: Failure }> {
  const loading = () => load().then((script) => ({ script }))
  return loading().catch(async () =>
    (await serverAnswers()) ? loading().catch(() => ({ failure: outOfDate() })) : { failure: connectionFailure() },
  )
}
