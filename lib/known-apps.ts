/** How an app that many people run is registered and set up; docs/apps.json has them. */
export interface KnownApp {
  name: string
  redirectUris: string[]
  /** The options of `app add` that register it */
  options: string[]
  /** What it asks for */
  scopes: string[]
  /** Where its settings go */
  place: string
  /** The language that `settings` is written in, by which a page highlights it */
  language: string
  /** One a line. <issuer>, <id> and <secret> stand for what registering it gives */
  settings: string[]
  /** It takes nobody without an e-mail address */
  needsEmail?: boolean
  /** What to know before */
  remarks: string[]
  /** What turns PKCE on in it */
  pkce?: string
  /** When a disabled person is out there */
  ends?: string
  /** The version that was tried */
  tried?: string
  /** Where its own documents are */
  documents: string
}

interface Registration {
  name: string
  redirectUris: string[]
  signOutUris?: string[]
  backChannelUri?: string
  pkce?: 'off'
  public?: true
}

/** The options of `app add` as the fields of the endpoint and of the file. */
export function registrationOf({ name, redirectUris, options }: KnownApp): Registration {
  const argumentOf = (option: string) => (options.includes(option) ? options[options.indexOf(option) + 1] : undefined)
  const [signOutUri, backChannelUri] = [argumentOf('--sign-out-uri'), argumentOf('--back-channel')]
  return {
    name,
    redirectUris,
    ...(signOutUri !== undefined && { signOutUris: [signOutUri] }),
    ...(backChannelUri !== undefined && { backChannelUri }),
    ...(options.includes('--no-pkce') && { pkce: 'off' }),
    ...(options.includes('--public') && { public: true }),
  }
}

/** The address in the examples, in whose place each site has its own; null for a program on the person's own device. */
export const exampleAddressOf = ({ redirectUris }: KnownApp): string | null =>
  /^https:\/\/[^/]+\.example\.com/.exec(redirectUris[0] ?? '')?.[0] ?? null

/** The address as typed, without what redirect URIs continue with: `https://` in front, no slash at the end; null for none. */
export function readAddress(typed: string): string | null {
  const text = typed.trim()
  const address = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null
  // Browsers encode what no host has, such as a space.
  if (!/^([a-z\d.-]+|\[[\da-f:.]+\])$/.test(url.hostname)) return null
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** The app at another address than its example's. */
export function atAddress(app: KnownApp, address: string): KnownApp {
  const example = exampleAddressOf(app)
  if (example === null) return app
  const moved = (text: string) => text.replaceAll(example, address)
  return {
    ...app,
    redirectUris: app.redirectUris.map(moved),
    options: app.options.map(moved),
    settings: app.settings.map(moved),
  }
}

/** The address of an app that was registered as a known one; null if it was registered otherwise. */
export function addressOf(app: KnownApp, redirectUris: readonly string[]): string | null {
  const example = exampleAddressOf(app)
  const path = (app.redirectUris[0] ?? '').slice(example?.length)
  const found = example === null ? undefined : redirectUris.find((uri) => /^https?:/.test(uri) && uri.endsWith(path))
  return found === undefined ? null : found.slice(0, -path.length)
}

/** Its settings with what registering it gave. Without a secret, which nobody can show again, its place stays marked. */
export function settingsOf(
  { settings }: KnownApp,
  { issuer, id, secret }: { issuer: string; id: string; secret?: string | undefined },
): string {
  const host = issuer.replace(/^\w+:\/\//, '')
  const fill = (line: string) =>
    line
      .replaceAll('<issuer>', issuer)
      .replaceAll('<id>', id)
      .replaceAll('<secret>', secret ?? '<secret>')
      .replaceAll('id.example.com', host)
  return settings.map(fill).join('\n')
}
