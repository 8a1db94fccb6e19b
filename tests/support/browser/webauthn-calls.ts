import type { Page } from 'playwright/test'

type Call = {
  name: 'create' | 'get'
  mediation: string
  abortable: boolean
  /** The types of the options' binary members. */
  binary: Record<string, string>
  /** The type of the result, or the name of the error. */
  outcome: string
  /** How many calls of `get` were pending when this one began. */
  pendingGets: number
}

/** Records each ceremony that a page starts, and passes it on unchanged. */
export async function watchCeremonies(page: Page) {
  const calls: Call[] = []
  await page.exposeFunction('recordCall', (call: Call) => calls.push(call) - 1)
  await page.exposeFunction('recordOutcome', (index: number, outcome: string) => {
    Object.assign(calls[index] ?? {}, { outcome })
  })
  await page.addInitScript(() => {
    const { recordCall, recordOutcome } = globalThis as unknown as {
      recordCall: (call: object) => Promise<number>
      recordOutcome: (index: number, outcome: string) => Promise<void>
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
        const index = recordCall({ ...describe(name, options as Parameters<typeof describe>[1]), pendingGets })
        if (name === 'get') pendingGets += 1
        const answer = own(options as never)
        const outcome = answer.then(kind, (error: Error) => error.name)
        outcome.then(() => {
          if (name === 'get') pendingGets -= 1
        })
        // Reported before the page continues, because it may navigate away.
        await recordOutcome(await index, await outcome)
        return answer
      }
    }
  })
  return calls
}

type Signal = { name: string; parameters: Record<string, unknown> }

/** Records each signal that a page sends (Signal API), and passes it on unchanged. */
export async function watchSignals(page: Page) {
  const signals: Signal[] = []
  await page.exposeFunction('recordSignal', (signal: Signal) => signals.push(signal))
  await page.addInitScript(() => {
    const { recordSignal } = globalThis as unknown as { recordSignal: (signal: object) => Promise<void> }
    const browser = PublicKeyCredential as unknown as Record<string, (parameters: object) => Promise<void>>
    for (const name of ['signalUnknownCredential', 'signalAllAcceptedCredentials', 'signalCurrentUserDetails']) {
      const own = browser[name]?.bind(PublicKeyCredential)
      browser[name] = async (parameters) => {
        await recordSignal({ name, parameters })
        return own?.(parameters)
      }
    }
  })
  return signals
}
