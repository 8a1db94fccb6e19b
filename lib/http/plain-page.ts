import { createHash } from 'node:crypto'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { strictPolicy } from './security-headers'

interface PlainPage {
  title: string
  text: string
  /** Words and address. */
  link: [words: string, href: string]
}

const style =
  ':root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}'
const policy = `${strictPolicy}; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** HTML without scripts or files, for where none of our pages can stand. `page` holds no text of a client's. */
export function plainHtml(locale: Locale, { title, text, link: [words, href] }: PlainPage): string {
  const { direction } = languageOf(locale)
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>`
  return `<!doctype html><html lang="${locale}" dir="${direction}">${head}<style>${style}</style><h1>${title}</h1><p>${text}</p><p><a href="${href}">${words}</a></p>`
}

/** The headers that say what `plainHtml` is. */
export const plainHeaders = (locale: Locale) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Language': locale,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
})
