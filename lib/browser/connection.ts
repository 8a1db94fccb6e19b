import { pageNamespace } from '@/lib/messages/page-words'
import type { Failure } from './errors'

/** Why nothing came back from the server. */
export const connectionCode = () => (navigator.onLine ? 'unreachable' : 'offline')

/** Apart from what describes the other failures, which may be the script that could not be loaded. */
export function connectionFailure(): Failure {
  const code = connectionCode()
  const { titles, checkConnection } = pageNamespace('failures')
  return { title: titles[code], detail: checkConnection, fields: {}, code }
}
