import * as z from 'zod'
import { addFault } from '../fields/fault'
import { isWebOrigin } from '../origins'
import { readAccent } from './accent'
import { type Logo, readLogo } from './logo'

const ownSite = 'http://here.invalid'

/** Whether this is a path of our own site; browsers take `//host` and `/\host` for other sites. */
const isPath = (text: string) =>
  text.startsWith('/') && URL.canParse(text, ownSite) && new URL(text, ownSite).origin === ownSite

/** https, or http on this machine. */
const isWebUrl = (text: string) => URL.canParse(text) && isWebOrigin(new URL(text).origin)

const pageUrl = z
  .string()
  .refine(
    (text) => isPath(text) || isWebUrl(text),
    'must be an https URL, such as https://www.example.com/page, or a path of this site, such as /page',
  )

export const brandingSchema = z
  .object({
    APP_LOGO: z.string().transform(readLogo('/brand/logo')).optional(),
    APP_LOGO_DARK: z.string().transform(readLogo('/brand/logo-dark')).optional(),
    APP_ACCENT: z.string().transform(readAccent).optional(),
    HOME_URL: pageUrl.optional(),
    TERMS_URL: pageUrl.optional(),
    PRIVACY_URL: pageUrl.optional(),
    SUPPORT_URL: z
      .string()
      .refine(
        (text) => isPath(text) || isWebUrl(text) || /^mailto:[^\s@]+@[^\s@]+$/.test(text),
        'must be an https URL, a path of this site such as /help, or mailto:help@example.com',
      )
      .optional(),
  })
  .transform((given, context) => {
    if (given.APP_LOGO_DARK && !given.APP_LOGO)
      addFault(context, 'APP_LOGO_DARK', 'must not be set without APP_LOGO, which the light theme shows')
    return {
      /** Null: our own mark and the name. Without a dark one, both themes show the same. */
      logo: given.APP_LOGO ? { light: given.APP_LOGO, dark: given.APP_LOGO_DARK ?? null } : null,
      /** Of logos that other hosts serve. */
      logoOrigins: [...new Set([given.APP_LOGO, given.APP_LOGO_DARK].flatMap(originOf))],
      /** Null: our own green. */
      accent: given.APP_ACCENT ?? null,
      /** Where a signed-in person goes on to. */
      homeUrl: given.HOME_URL ?? null,
      termsUrl: given.TERMS_URL ?? null,
      privacyUrl: given.PRIVACY_URL ?? null,
      supportUrl: given.SUPPORT_URL ?? null,
    }
  })

const originOf = (logo: Logo | undefined) => (logo && !logo.file ? [new URL(logo.url).origin] : [])

/** These pages lead a signed-in person to HOME_URL: it must not lead back. */
export function checkHome(
  homeUrl: string | null,
  origins: [string, ...string[]],
  context: z.core.$RefinementCtx,
): void {
  if (homeUrl === null) return
  const { origin, pathname } = new URL(homeUrl, origins[0])
  if (origins.includes(origin) && /^\/(signin|signup)\/?$/.test(pathname))
    addFault(context, 'HOME_URL', 'must be a page of your app, not the sign-in page, which leads there')
}
