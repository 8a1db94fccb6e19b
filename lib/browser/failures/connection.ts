import { pageNamespace } from '@/lib/messages/browser-words'
import type { Failure } from './outcomes'

/** Why there was no response. */
export const connectionCode = () => (navigator.onLine ? 'unreachable' : 'offline')

/** Not in describe-failure.ts: the script that could not be loaded may be the one that contains it. */
export function connectionFailure(): Failure {
  const code = connectionCode()
  const { titles, checkConnection } = pageNamespace('failures')
  return { title: titles[code], detail: checkConnection, fields: {}, code }
}
