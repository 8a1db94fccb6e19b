import { escapeHtml, policyElement } from '../response/plain-page'

interface FormPost {
  action: string
  parameters: URLSearchParams
  nonce: string
  policy: string
}

/** A document that sends the authorization response to the app at once (OAuth 2.0 Form Post Response Mode section 2). */
export function formPostDocument({ action, parameters, nonce, policy }: FormPost): string {
  const fields = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<!doctype html><html><meta charset="utf-8">${policyElement(policy)}<title>…</title><form method="post" action="${escapeHtml(action)}">${fields.join('')}<noscript><button>OK</button></noscript></form><script nonce="${nonce}">document.forms[0].submit()</script></html>`
}
