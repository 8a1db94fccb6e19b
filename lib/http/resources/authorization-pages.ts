import { wordsIn } from '@/lib/messages/catalogues'
import { fill } from '@/lib/messages/format'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { settings } from '@/lib/settings/settings'

/* Pages of their own: what they answer must not depend on scripts, and must be right on a backend without pages. */

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

const style =
  'body{max-width:28rem;margin:15vh auto;padding:0 1.5rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark}h1{font-size:1.375rem}'

/** What somebody sees whom an app has sent here with a request that names no app, or an address that is not its own. */
export function errorPage(kind: 'unknown_app' | 'unknown_address', locale: Locale): string {
  const { title, unknownApp, unknownAddress } = wordsIn(locale).appRequest
  const { appName } = settings()
  const text = kind === 'unknown_app' ? unknownApp : unknownAddress
  return `<!doctype html><html lang="${locale}" dir="${languageOf(locale).direction}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><p>${escaped(appName)}</p><h1>${escaped(title)}</h1><p>${escaped(fill(locale, text, { app: appName }))}</p></html>`
}

/** A document that sends the answer to the app at once (OAuth 2.0 Form Post Response Mode section 2). */
export function answerForm(action: string, parameters: URLSearchParams, nonce: string): string {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  return `<!doctype html><html><meta charset="utf-8"><title>…</title><form method="post" action="${escaped(action)}">${fields.join('')}<noscript><button>OK</button></noscript></form><script nonce="${nonce}">document.forms[0].submit()</script></html>`
}
