import { z } from 'zod'
import { addFault } from './fault'
import { wholeNumber } from './whole-number'

/** Origins and RP ID are checked together: the RP ID of a passkey must cover the origin (WebAuthn section 5.1.3). */
export const relyingPartySchema = z
  .object({
    APP_ORIGIN: z.string().optional(),
    RP_ID: z.string().optional(),
    PORT: wholeNumber(3000, 1, 65_535).catch(3000),
    VERCEL_PROJECT_PRODUCTION_URL: z.string().optional(),
  })
  .transform(({ APP_ORIGIN, RP_ID, PORT, VERCEL_PROJECT_PRODUCTION_URL: vercelHost }, context) => {
    const fallback = vercelHost === undefined ? `http://localhost:${PORT}` : `https://${vercelHost}`
    const origins = (APP_ORIGIN ?? fallback).split(',').map((text) => text.trim())
    const urls = origins.map((origin) => parseOrigin(origin, context)).filter((url) => url !== null)
    const [first] = urls
    if (new Set(urls.map((url) => url.protocol)).size > 1)
      addFault(context, 'APP_ORIGIN', 'must use https for every origin, or http for every origin')
    const rpId = RP_ID ?? first?.hostname ?? ''
    if (first && first.hostname !== rpId && !first.hostname.endsWith(`.${rpId}`)) {
      const right = `must be ${first.hostname} (the host of APP_ORIGIN) or a parent domain of it, not ${rpId}`
      addFault(context, 'RP_ID', right)
    }
    return {
      /** The public origins; the first is the main one. */
      origins: urls.map((url) => url.origin) as [string, ...string[]],
      /** False while APP_ORIGIN has its default; password sign-in then also works on other hosts. */
      originConfigured: APP_ORIGIN !== undefined || vercelHost !== undefined,
      /** True on https: cookies are Secure and their names start with `__Host-`. */
      secureCookies: first?.protocol === 'https:',
      rpId,
    }
  })

function parseOrigin(text: string, context: z.core.$RefinementCtx): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  const local = url?.hostname === 'localhost' || url?.hostname.endsWith('.localhost')
  const bare = url?.origin === text.replace(/\/$/, '').toLowerCase()
  if (url && bare && (url.protocol === 'https:' || (url.protocol === 'http:' && local))) return url
  const right = `must be an origin such as https://id.example.com or http://localhost:3000, or several separated by commas; "${text}" is not one`
  addFault(context, 'APP_ORIGIN', right)
  return null
}
