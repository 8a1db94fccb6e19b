import { createHash } from 'node:crypto'
import { markOf } from '@/lib/mark'
import { wordsIn } from '@/lib/messages/catalogues'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'
import { escapeHtml, policyElement } from './html'
import { plainPageStyle } from './plain-page-style'
import { emptyPolicy, ownWindow, strictPolicy } from './security-headers'

interface PlainPage {
  title: string
  text: string
  /** For the app's developer, in the protocol's words */
  detail?: string
  link?: { text: string; href: string }
}

const anchor = ({ text, href }: { text: string; href: string }) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`

/** Inline: the page may not load a file, not even an adopter's logo. */
function brand(): string {
  const { appName, logo } = settings()
  const { stroke, fill } = markOf(appName)
  const path = stroke ? `<path class="stroke" d="${stroke}"/>` : `<path class="fill" d="${fill}"/>`
  const mark = `<svg aria-hidden="true" viewBox="0 0 32 32"><rect width="32" height="32" rx="8"/>${path}</svg>`
  return `<header>${logo === null ? mark : ''}${escapeHtml(appName)}</header>`
}

/** Absolute URLs: the page may be shown at an app's. */
function footer(locale: Locale): string {
  const { termsUrl, privacyUrl, supportUrl, origins } = settings()
  const { site } = wordsIn(locale)
  const links = [
    [site.terms, termsUrl],
    [site.privacy, privacyUrl],
    [site.support, supportUrl],
  ] as const
  const set = links.flatMap(([text, url]) =>
    url === null ? [] : [anchor({ text, href: new URL(url, origins[0]).href })],
  )
  return set.length === 0 ? '' : `<footer>${set.join('')}</footer>`
}

/** HTML without scripts or files: for endpoints, an app's URL, and browsers without JavaScript. */
export function plainPage(locale: Locale, { title, text, detail, link }: PlainPage) {
  const { direction } = languageOf(locale)
  const { appName } = settings()
  const style = plainPageStyle()
  const styled = `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`
  const policy = policyElement(`${emptyPolicy}; ${styled}`)
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${appName}`)}</title>`
  const body = [`${brand()}<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`]
  if (detail) body.push(`<p class="detail" dir="ltr">${escapeHtml(detail)}</p>`)
  if (link) body.push(anchor(link))
  body.push('</main>', footer(locale))
  const html = `<!doctype html><html lang="${locale}" dir="${direction}">${head}<style>${style}</style>${body.join('')}</html>`
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': locale,
    'Cache-Control': 'no-store',
    ...ownWindow,
    'Content-Security-Policy': `${strictPolicy}; ${styled}`,
  }
  return { html, headers }
}
