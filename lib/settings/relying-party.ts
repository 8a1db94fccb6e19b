type Environment = Readonly<Record<string, string | undefined>>

/** Origins and RP id belong together: WebAuthn ties a passkey to the RP id, which must cover the origin (WebAuthn section 5.1.3). */
export function readRelyingParty(given: Environment, port: number, faults: string[]) {
  const vercel = given.VERCEL_PROJECT_PRODUCTION_URL
  const fallback = vercel ? `https://${vercel}` : `http://localhost:${port}`
  const origins = (given.APP_ORIGIN ?? fallback).split(',').map((text) => text.trim())
  const urls = origins.map((origin) => parseOrigin(origin, faults)).filter((url) => url !== null)
  const [first] = urls
  if (new Set(urls.map((url) => url.protocol)).size > 1) faults.push('APP_ORIGIN must be all https or all http')
  const rpId = given.RP_ID ?? first?.hostname ?? ''
  if (first && first.hostname !== rpId && !first.hostname.endsWith(`.${rpId}`)) {
    faults.push(`RP_ID must be ${first.hostname}, the host of APP_ORIGIN, or a parent domain of it, not ${rpId}`)
  }
  return {
    origins: urls.map((url) => url.origin) as [string, ...string[]],
    originConfigured: given.APP_ORIGIN !== undefined || vercel !== undefined,
    secureCookies: first?.protocol === 'https:',
    rpId,
  }
}

function parseOrigin(text: string, faults: string[]): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const local = url?.hostname === 'localhost' || url?.hostname.endsWith('.localhost')
  const bare = url?.origin === text.replace(/\/$/, '').toLowerCase()
  if (url && bare && (url.protocol === 'https:' || (url.protocol === 'http:' && local))) return url
  faults.push(
    `APP_ORIGIN must be origins such as https://id.example.com, or http://localhost:3000; "${text}" is not one`,
  )
  return null
}
