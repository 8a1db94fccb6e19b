import { ApiClientError } from './errors'

/** Posts JSON to an endpoint and gives its answer. @throws ApiClientError when it is no success */
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
    throw new ApiClientError(navigator.onLine ? 'unreachable' : 'offline')
  })
  // What is no JSON comes from something in between, such as a proxy or a hotel's sign-in page.
  const answer = await response.json().catch(() => null)
  if (response.ok && (answer !== null || response.status === 204)) return answer
  if (response.ok) throw new ApiClientError('unreachable')
  throw new ApiClientError(answer?.code ?? 'internal_error', {
    ...answer,
    status: response.status,
    skew: clockSkew(response),
  })
}

function clockSkew(response: Response): number {
  const theirs = Date.parse(response.headers.get('Date') ?? '')
  return Number.isNaN(theirs) ? 0 : Date.now() - theirs
}
