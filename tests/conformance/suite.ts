import { type APIRequestContext, expect } from 'playwright/test'

export interface Module {
  testModule: string
  variant: Record<string, string>
}

/** A screenshot that a module asks for; `msg` says of what. */
export interface Wanted {
  upload: string
  msg: string
}

/** The suite's API, as its own pages use it. */
export class Suite {
  private readonly url: string
  private readonly request: APIRequestContext

  constructor(url: string, request: APIRequestContext) {
    this.url = url
    this.request = request
  }

  /** Creates a plan. @returns its id, and its modules in turn */
  createPlan(planName: string, variant: object, configuration: object): Promise<{ id: string; modules: Module[] }> {
    return this.send('POST', 'plan', { planName, variant: JSON.stringify(variant) }, configuration)
  }

  /** Starts a module of a plan. @returns its id */
  async start(plan: string, { testModule, variant }: Module): Promise<string> {
    // Rejected with a body, even an empty one: the plan has the configuration.
    return (await this.send('POST', 'runner', { plan, test: testModule, variant: JSON.stringify(variant) })).id
  }

  /** The status of a module, and its result once it has ended. */
  info = (id: string): Promise<{ status: string; result?: string }> => this.send('GET', `info/${id}`)

  /** The addresses that a waiting module wants a browser to open. */
  async addresses(id: string): Promise<{ url: string; method: string }[]> {
    return (await this.send('GET', `runner/${id}`)).browser.urlsWithMethod
  }

  visited = (id: string, url: string) => this.send('POST', `runner/browser/${id}/visit`, { url })

  /** The screenshots that a module has not got yet. */
  async wanted(id: string): Promise<Wanted[]> {
    const log: Partial<Wanted>[] = await this.send('GET', `log/${id}`)
    return log.filter((entry): entry is Wanted => entry.upload !== undefined)
  }

  upload(id: string, upload: string, png: Buffer) {
    return this.send('POST', `log/${id}/images/${upload}`, {}, `data:image/png;base64,${png.toString('base64')}`)
  }

  /** What a module found wrong. */
  async remarks(id: string): Promise<string[]> {
    const log: { result?: string; msg: string }[] = await this.send('GET', `log/${id}`)
    return log.filter(({ result }) => result === 'WARNING' || result === 'FAILURE').map(({ msg }) => msg)
  }

  private async send(method: 'GET' | 'POST', path: string, params = {}, data?: object | string) {
    const type = typeof data === 'string' ? 'text/plain' : 'application/json'
    const answer = await this.request.fetch(`${this.url}/api/${path}`, {
      method,
      params,
      headers: { 'Content-Type': type },
      ...(data !== undefined && { data }),
    })
    const text = await answer.text()
    expect(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
}
