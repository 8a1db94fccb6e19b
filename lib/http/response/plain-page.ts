import { createHash } from 'node:crypto'
import { wordsIn } from '@/lib/messages/catalogues'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { palette } from '@/lib/settings/branding/accent'
import { settings } from '@/lib/settings/settings'
import { emptyPolicy, strictPolicy } from './security-headers'

interface PlainPage {
  title: string
  text: string
  link?: { text: string; href: string }
}

/** The one card of other pages: the brand above it, the support link below. */
const layout = [
  ':root{color-scheme:light dark}',
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:0 auto;padding:max(1.5rem,7vh) min(1rem,4.3vw);overflow-wrap:break-word;text-align:center}',
  'header{font-weight:600}',
  'main{margin:1.5rem 0 1rem;padding:2rem min(1.25rem,5.4vw);border:1px solid;border-radius:.875rem}',
  'h1{margin:0;font-size:1.5rem;line-height:1.2}',
  'a{display:inline-block;padding:.6rem 1rem}',
  'main a{border:1px solid;border-radius:.5625rem;font-weight:500;text-decoration:none}',
].join('')

/** What app/globals.css calls them. */
const frame = {
  light: { ink: palette.ink, line: '#e0e0d8' },
  dark: { ink: '#e8eeea', line: '#2a3431' },
}

/** In the colours of the other pages, which an adopter sets. */
function styleOfSite(): string {
  const { accent } = settings()
  const colours = (theme: 'light' | 'dark') => {
    const { paper, surface } = palette[theme]
    const { ink, line } = frame[theme]
    return `:root{background:${paper};color:${ink}}main{background:${surface};border-color:${line}}a{color:${accent?.[theme].accent ?? palette[theme].accent}}`
  }
  return `${layout}${colours('light')}@media(prefers-color-scheme:dark){${colours('dark')}}`
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const anchor = ({ text, href }: { text: string; href: string }) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

/** Without our server, Next's own header replaces ours, so the document has the policy, too. */
export const policyElement = (policy: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`

/** HTML without scripts or files: for endpoints, an app's address, and browsers without JavaScript. */
export function plainPage(locale: Locale, { title, text, link }: PlainPage) {
  const { direction } = languageOf(locale)
  const { appName, supportUrl, origins } = settings()
  const style = styleOfSite()
  const styled = `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  const policy = policyElement(`${emptyPolicy}; ${styled}`)
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${appName}`)}</title>`
  const body = [`<header>${escapeHtml(appName)}</header><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`]
  if (link) body.push(anchor(link))
  body.push('</main>')
  // Whole: the page may stand at an app's address.
  if (supportUrl !== null)
    body.push(
      `<footer>${anchor({ text: wordsIn(locale).site.support, href: new URL(supportUrl, origins[0]).href })}</footer>`,
    )
  const html = `<!doctype html><html lang="${locale}" dir="${direction}">${head}<style>${style}</style>${body.join('')}</html>`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `${strictPolicy}; ${styled}`,
  }
  return { html, headers }
}
