import { createHash } from 'node:crypto'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { palette } from '@/lib/settings/branding/accent'
import { settings } from '@/lib/settings/settings'
import { emptyPolicy, strictPolicy } from './security-headers'

interface PlainPage {
  title: string
  text: string
  link?: { text: string; href: string }
}

const layout =
  ':root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 min(1.5rem,5vw);overflow-wrap:break-word}h1{font-size:1.5rem;line-height:1.25}a{display:inline-block;padding:.6em 0}'

/** In the colours of the other pages, which an adopter sets. */
function styleOfSite(): string {
  const { accent } = settings()
  const colours = (theme: 'light' | 'dark') =>
    `:root{background:${palette[theme].paper}}a{color:${accent?.[theme].accent ?? palette[theme].accent}}`
  return `${layout}${colours('light')}@media(prefers-color-scheme:dark){${colours('dark')}}`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Without our server, Next's own header replaces ours, so the document has the policy, too. */
export const policyElement = (policy: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`

/** HTML without scripts or files: for endpoints, an app's address, and browsers without JavaScript. */
export function plainPage(locale: Locale, { title, text, link }: PlainPage) {
  const { direction } = languageOf(locale)
  const { appName } = settings()
  const style = styleOfSite()
  const styled = `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  const policy = policyElement(`${emptyPolicy}; ${styled}`)
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${appName}`)}</title>`
  const body = [`<p>${escapeHtml(appName)}</p><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`]
  if (link) body.push(`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`)
  const html = `<!doctype html><html lang="${locale}" dir="${direction}">${head}<style>${style}</style>${body.join('')}</html>`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `${strictPolicy}; ${styled}`,
  }
  return { html, headers }
}
