import type { BrowserContext } from '@playwright/test'
import { type Passkey, type PlaywrightPasskey, toPlaywright } from './passkey.js'

/** The person in front of the browser, whom pages ask for a passkey. Answers each prompt at once unless told otherwise. */
export interface Prompts {
  /** Closes the next prompt that somebody pressed for. */
  cancel(): Promise<void>
  /** Answers the next prompt with another challenge than the page's, which the server refuses; or ends it with this error. */
  fail(error?: PromptError): Promise<void>
  /** Loses the passkeys of this browser. The server does not learn of it. */
  remove(): Promise<void>
  /** Leaves the next prompt open. @returns a function that answers it */
  hold(): Promise<() => Promise<void>>
  /** Chooses the passkey that the page offers in autofill, once it does. */
  autofill(): Promise<void>
}

/** What browsers end a ceremony with (WebAuthn Level 3, sections 5.1.3 and 5.1.4) */
export type PromptError =
  | 'NotAllowedError'
  | 'InvalidStateError'
  | 'NotReadableError'
  | 'SecurityError'
  | 'UnknownError'

type Instruction = { do: 'answer' | 'hold' | 'otherChallenge' } | { do: 'end'; name: PromptError }

interface PromptRequest {
  rpId: string
  conditional: boolean
}

interface InPage {
  autofill(): boolean
  release(): boolean
}

/** How long a test waits for a page to ask. */
const patienceMilliseconds = 30_000

/**
 * Puts Playwright's virtual authenticator into a context, and between it and the pages what it lacks: it answers everything at
 * once, autofill included, cannot be cancelled, and goes on when a page aborts.
 */
export async function controlPrompts(context: BrowserContext) {
  const { credentials } = context
  const lost: PlaywrightPasskey[] = []
  let next: Instruction = { do: 'answer' }
  const instruct = (instruction: Instruction) => {
    next = instruction
  }
  await credentials.install()
  await context.exposeBinding('__latchkeyPrompt', async (_, { rpId, conditional }: PromptRequest) => {
    const instruction: Instruction = conditional ? { do: 'answer' } : next
    if (!conditional) next = { do: 'answer' }
    // Of several, the account chooser offers the one first that came last.
    return { instruction, chosen: (await credentials.get({ rpId })).at(-1)?.id ?? null }
  })
  await context.addInitScript(shapePrompts)
  await Promise.all(context.pages().map((page) => page.evaluate(shapePrompts)))

  /** Tries until a page does it: the page may not have come so far. */
  async function inAPage(action: (prompts: InPage) => boolean, failure: string): Promise<void> {
    const code = `globalThis.__latchkeyPrompts ? (${action})(globalThis.__latchkeyPrompts) : false`
    const deadline = Date.now() + patienceMilliseconds
    for (;;) {
      // A page that closes or navigates meanwhile has no prompt.
      const done = await Promise.all(context.pages().map((page) => page.evaluate<boolean>(code).catch(() => false)))
      if (done.includes(true)) return
      if (Date.now() > deadline) throw new Error(failure)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const prompts: Prompts = {
    cancel: async () => instruct({ do: 'end', name: 'NotAllowedError' }),
    fail: async (name) => instruct(name ? { do: 'end', name } : { do: 'otherChallenge' }),
    remove: async () => {
      for (const key of await credentials.get()) {
        lost.push(key)
        await credentials.delete(key.id)
      }
    },
    hold: async () => {
      instruct({ do: 'hold' })
      return () =>
        inAPage((page) => page.release(), 'No prompt is held: nobody pressed for one, or the page has aborted it.')
    },
    autofill: () =>
      inAPage((page) => page.autofill(), 'No page offers passkeys in autofill (mediation: "conditional").'),
  }

  /** Makes the browser hold a passkey, as the one that came last. */
  async function hold(passkey: Passkey): Promise<void> {
    const [held] = await credentials.get({ id: passkey.credentialId })
    await credentials.delete(passkey.credentialId)
    // With its counter, since the server takes one that falls for a copy.
    await credentials.create(passkey.rpId, held ?? toPlaywright(passkey))
  }

  /** All that the browser holds or has lost, those that its pages made included. A browser that the test has closed holds none. */
  const everyKey = async () => [...lost, ...(await credentials.get().catch(() => []))]

  return { prompts, hold, everyKey }
}

/** Runs in each page, after Playwright's own script. */
function shapePrompts() {
  type Options = (CredentialCreationOptions | CredentialRequestOptions) & { mediation?: string }
  type Ceremony = (options?: Options) => Promise<Credential | null>
  const scope = globalThis as unknown as {
    __latchkeyPrompts?: InPage
    __latchkeyPrompt(request: PromptRequest): Promise<{ instruction: Instruction; chosen: string | null }>
  }
  if (scope.__latchkeyPrompts || !('PublicKeyCredential' in globalThis) || !navigator.credentials) return

  // By the time, pages tell a prompt that somebody closed from one that never opened.
  const shortestPrompt = 400
  const waiting: { autofill?: (() => void) | undefined; held?: (() => void) | undefined } = {}

  /** Resolves when the test says so; an aborted request waits no longer. */
  const until = (what: keyof typeof waiting, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve) => {
      waiting[what] = resolve
      signal?.addEventListener('abort', () => {
        if (waiting[what] === resolve) waiting[what] = undefined
      })
    })
  const end = (what: keyof typeof waiting) => {
    const resolve = waiting[what]
    waiting[what] = undefined
    resolve?.()
    return resolve !== undefined
  }
  scope.__latchkeyPrompts = { autofill: () => end('autofill'), release: () => end('held') }

  async function perform(ceremony: Ceremony, options: Options): Promise<Credential | null> {
    const { signal, mediation } = options
    const publicKey = { ...options.publicKey } as PublicKeyCredentialCreationOptions & PublicKeyCredentialRequestOptions
    const conditional = mediation === 'conditional'
    if (conditional) await until('autofill', signal)
    const rpId = publicKey.rpId ?? publicKey.rp?.id ?? globalThis.location.hostname
    const { instruction, chosen } = await scope.__latchkeyPrompt({ rpId, conditional })
    if (instruction.do === 'end') throw new DOMException('The test ended the prompt.', instruction.name)
    if (instruction.do === 'hold') await until('held', signal)
    signal?.throwIfAborted()
    if (instruction.do === 'otherChallenge') publicKey.challenge = other(publicKey.challenge)
    if (chosen !== null && !publicKey.rp && !publicKey.allowCredentials?.length)
      publicKey.allowCredentials = [{ type: 'public-key', id: decode(chosen) }]
    return ceremony({ publicKey })
  }

  function other(challenge: BufferSource) {
    const bytes = ArrayBuffer.isView(challenge)
      ? new Uint8Array(challenge.buffer as ArrayBuffer, challenge.byteOffset, challenge.byteLength)
      : new Uint8Array(challenge)
    return bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte))
  }

  const decode = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

  for (const method of ['create', 'get'] as const) {
    const ceremony = navigator.credentials[method].bind(navigator.credentials) as Ceremony
    navigator.credentials[method] = async (options?: Options) => {
      if (!options?.publicKey) return ceremony(options)
      const { signal } = options
      signal?.throwIfAborted()
      const start = performance.now()
      const abortion = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
      const performed = perform(ceremony, options).catch(async (error: unknown) => {
        const rest = start + shortestPrompt - performance.now()
        if (error instanceof Error && error.name === 'NotAllowedError' && rest > 0)
          await new Promise((resolve) => setTimeout(resolve, rest))
        throw error
      })
      return Promise.race([abortion, performed])
    }
  }

  const ask = PublicKeyCredential.getClientCapabilities?.bind(PublicKeyCredential)
  PublicKeyCredential.getClientCapabilities = async () => ({
    ...(await ask?.().catch(() => undefined)),
    passkeyPlatformAuthenticator: true,
    userVerifyingPlatformAuthenticator: true,
    conditionalGet: true,
    // Playwright's authenticator knows neither.
    conditionalCreate: false,
    immediateGet: false,
  })
}
