/** A browser's cookies in front of an app that answers a `Request`. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #answer: (request: Request) => Promise<Response | null>
  readonly #origin: string

  constructor(answer: (request: Request) => Promise<Response | null>, origin = 'http://localhost:3000') {
    this.#answer = answer
    this.#origin = origin
  }

  request(path: string, init: RequestInit = {}): Request {
    const headers = new Headers(init.headers)
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (cookie && !headers.has('cookie')) headers.set('cookie', cookie)
    return new Request(new URL(path, this.#origin), { ...init, headers })
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#answer(this.request(path, init))
    if (!response) throw new Error(`${path} is not answered`)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0\b/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  /** Begins a sign-in; returns where that leads to. */
  async begin(next = '/notes'): Promise<string> {
    const response = await this.send(`/auth/sign-in?${new URLSearchParams({ next })}`)
    return response.headers.get('location') ?? ''
  }

  back = (query: URLSearchParams | string) => this.send(`/auth/callback?${query}`)
}
