import { wordsIn } from '@/lib/messages/catalogues'
import { type Locale, languageOf } from '@/lib/messages/locales'
import { escapeHtml, policyElement } from '../response/plain-page'

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
  const button = `<noscript><button>${escapeHtml(wordsIn(locale).appRequest.next)}</button></noscript>`
  const form = `<form method="post" action="${escapeHtml(action)}">${fields.join('')}${button}</form>`
  const script = `<script nonce="${nonce}">document.forms[0].submit()</script>`
  const html = `<html lang="${locale}" dir="${languageOf(locale).direction}">`
  return `<!doctype html>${html}<meta charset="utf-8">${policyElement(policy)}<title>…</title>${form}${script}</html>`
}
