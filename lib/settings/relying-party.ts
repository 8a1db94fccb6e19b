import * as z from 'zod'
import { addFault, defaultPort, entriesOf, isUnder, isWebOrigin, port } from './fields'

/**
 * Checks origins and RP ID together: the RP ID of a passkey must cover the origin (WebAuthn section 5.1.3), or the origin must be
 * related to one that it covers (section 5.11).
 */
export const relyingPartySchema = z
  .object({
    APP_ORIGIN: z.string().optional(),
    RP_ID: z.string().optional(),
    // settings.ts reports its faults.
    PORT: port.catch(defaultPort),
    VERCEL_PROJECT_PRODUCTION_URL: z.string().optional(),
  })
  .transform(({ APP_ORIGIN, RP_ID, PORT, VERCEL_PROJECT_PRODUCTION_URL: vercelHost }, context) => {
    const fallback = vercelHost === undefined ? `http://localhost:${PORT}` : `https://${vercelHost}`
    const given = entriesOf(APP_ORIGIN ?? fallback)
    const androidOrigins = given.filter((text) => androidOrigin.test(text))
    const urls = given
      .filter((text) => !androidOrigin.test(text))
      .map((text) => parseOrigin(text, context))
      .filter((url) => url !== null)
    const [first] = urls
    if (androidOrigins.length === given.length)
      addFault(context, 'APP_ORIGIN', 'must also name an origin of the pages, such as https://id.example.com')
    if (new Set(urls.map((url) => url.protocol)).size > 1)
      addFault(context, 'APP_ORIGIN', 'must use https for every origin, or http for every origin')
    const rpId = hostOf(RP_ID) ?? first?.hostname ?? ''
    if (first && !urls.some(({ hostname }) => isUnder(hostname, rpId))) {
      const message = `must be ${first.hostname} (the host of APP_ORIGIN) or a parent domain of it, not ${rpId}`
      addFault(context, 'RP_ID', message)
    }
    const origins = urls.map((url) => url.origin) as [string, ...string[]]
    return {
      /** The public origins; the first is the main one. */
      origins,
      /** The values that `origin` in a passkey's response may have; those of Android apps, no page can have. */
      passkeyOrigins: [...origins, ...androidOrigins],
      /** False while APP_ORIGIN has its default; password sign-in then also works on other hosts. */
      originConfigured: APP_ORIGIN !== undefined || vercelHost !== undefined,
      /** True on https: cookies are Secure and their names start with `__Host-`. */
      secureCookies: first?.protocol === 'https:',
      rpId,
    }
  })

/** Spells a host as origins do. Undefined without one; text that is no host stays, and covers no origin. */
const hostOf = (text: string | undefined) =>
  text !== undefined && /^[^/?#@:\\\s]+$/.test(text) && URL.canParse(`https://${text}`)
    ? new URL(`https://${text}`).hostname
    : text

/** The SHA-256 of an app's signing certificate, as Android puts it into `origin` (Credential Manager, "Verify origin"). */
const androidOrigin = /^android:apk-key-hash:[\w-]{43}$/

function parseOrigin(text: string, context: z.core.$RefinementCtx): URL | null {
  if (isWebOrigin(text)) return new URL(text)
  const message = text.startsWith('android:')
    ? `must have the SHA-256 of the signing certificate in base64url after android:apk-key-hash: (43 characters); "${text}" has not`
    : `must be an origin such as https://id.example.com or http://localhost:3000, or several separated by commas; "${text}" is not one`
  addFault(context, 'APP_ORIGIN', message)
  return null
}
