const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Without our server, Next's own header replaces ours, so the document has the policy, too. */
export const policyElement = (policy: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`
