import { Refusal } from './failure'

/** Posts JSON to an endpoint and gives its answer. @throws Refusal when it is no success */
export async function post<T>(path: string, body: object = {}): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  const init: RequestInit = {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    credentials: 'same-origin',
    cache: 'no-store',
  }
  const response = await fetch(path, init).catch(() => {
    throw new Refusal(navigator.onLine ? 'unreachable' : 'offline')
  })
  // A proxy in between may answer with a page of its own: what is no JSON has no code, and is then worded as our fault.
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new Refusal(answer.code ?? 'internal_error', { ...answer, skew: clockSkew(response) })
}

function clockSkew(response: Response): number {
  const theirs = Date.parse(response.headers.get('Date') ?? '')
  return Number.isNaN(theirs) ? 0 : Date.now() - theirs
}
