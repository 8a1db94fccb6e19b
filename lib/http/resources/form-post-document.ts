import { wordsIn } from '@/lib/messages/catalogues'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { escapeHtml, policyElement } from '../response/html'

interface FormPost {
  action: string
  parameters: URLSearchParams
  nonce: string
  policy: string
  locale: Locale
}

/** A document that sends the authorization response to the app at once (OAuth 2.0 Form Post Response Mode section 2). */
export function formPostDocument({ action, parameters, nonce, policy, locale }: FormPost): string {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  // Without JavaScript, the person submits the form.
  const next = escapeHtml(wordsIn(locale).appRequest.next)
  const button = `<noscript><button>${next}</button></noscript>`
  const form = `<form method="post" action="${escapeHtml(action)}">${fields.join('')}${button}</form>`
  const script = `<script nonce="${nonce}">document.forms[0].submit()</script>`
  const html = `<html lang="${locale}" dir="${languageOf(locale).direction}">`
  // No flash of white in the dark, and a button of full size on a phone.
  const look = '<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">'
  const head = `<meta charset="utf-8">${policyElement(policy)}${look}<title>${next}</title>`
  return `<!doctype html>${html}${head}${form}${script}</html>`
}
