import type { Page } from 'playwright/test'

type Call = {
  name: 'create' | 'get'
  mediation: string
  abortable: boolean
  /** The kinds of the options' members that are binary. */
  binary: Record<string, string>
  /** The kind of what came of it, or the name of the error. */
  outcome: string
  /** How many calls of `get` had not ended when this one began. */
  pendingGets: number
}

/** Notes each ceremony that a page begins, in the browser's own terms, and lets the browser have it as it is. */
export async function watchCeremonies(page: Page) {
  const calls: Call[] = []
  await page.exposeFunction('noteCall', (call: Call) => calls.push(call) - 1)
  await page.exposeFunction('noteOutcome', (index: number, outcome: string) => {
    Object.assign(calls[index] ?? {}, { outcome })
  })
  await page.addInitScript(() => {
    const { noteCall, noteOutcome } = globalThis as unknown as {
      noteCall: (call: object) => Promise<number>
      noteOutcome: (index: number, outcome: string) => Promise<void>
    }
    const kind = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1)
    function describe(name: string, options: CredentialCreationOptions & CredentialRequestOptions) {
      const { publicKey, mediation = 'optional', signal } = options
      const user = name === 'create' && { user: kind(publicKey?.user.id) }
      const binary = { challenge: kind(publicKey?.challenge), ...user }
      return { name, mediation, abortable: signal instanceof AbortSignal, binary, outcome: 'pending' }
    }
    let pendingGets = 0
    for (const name of ['create', 'get'] as const) {
      const own = navigator.credentials[name].bind(navigator.credentials)
      navigator.credentials[name] = async (options = {}) => {
        const index = noteCall({ ...describe(name, options as Parameters<typeof describe>[1]), pendingGets })
        if (name === 'get') pendingGets += 1
        const answer = own(options as never)
        const outcome = answer.then(kind, (error: Error) => error.name)
        outcome.then(() => {
          if (name === 'get') pendingGets -= 1
        })
        // Told before the page goes on, which may be to another page.
        await noteOutcome(await index, await outcome)
        return answer
      }
    }
  })
  return calls
}

type Signal = { name: string; parameters: Record<string, unknown> }

/** Notes each signal that a page sends to the password manager (Signal API), and lets the browser have it as it is. */
export async function watchSignals(page: Page) {
  const signals: Signal[] = []
  await page.exposeFunction('noteSignal', (signal: Signal) => signals.push(signal))
  await page.addInitScript(() => {
    const { noteSignal } = globalThis as unknown as { noteSignal: (signal: object) => Promise<void> }
    const browser = PublicKeyCredential as unknown as Record<string, (parameters: object) => Promise<void>>
    for (const name of ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails']) {
      const own = browser[name]?.bind(PublicKeyCredential)
      browser[name] = async (parameters) => {
        await noteSignal({ name, parameters })
        return own?.(parameters)
      }
    }
  })
  return signals
}
