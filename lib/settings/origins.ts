/** Null unless the text is a URL of http or https. */
export function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/**
 * Whether a text is an origin of http or https; a slash may follow. A default port, capitals and letters of other scripts are what
 * people write, and `new URL(text).origin` what browsers send.
 */
export const isHttpOrigin = (text: string): boolean =>
  httpUrl(text) !== null && /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text)

/** Whether a text is an origin of the web: https, or http on this machine. */
export function isWebOrigin(text: string): boolean {
  const { protocol, hostname = '' } = httpUrl(text) ?? {}
  return isHttpOrigin(text) && (protocol === 'https:' || isUnder(hostname, 'localhost'))
}

/** Whether no app can own the text's scheme: its pages have no origin of their own, run in another page, or are the browser's. */
export const isUnusableScheme = (text: string) =>
  /^(about|blob|data|file|filesystem|ftp|intent|javascript|vbscript|view-source|wss?):/.test(text)

/** Whether a host is this domain or below it. */
export const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
