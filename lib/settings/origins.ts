/** Null unless the text is a URL of http or https. */
export function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/**
 * True for an origin of http or https, also with a slash at its end. People write default ports, capitals and letters of other
 * scripts; browsers send `new URL(text).origin`.
 */
export const isHttpOrigin = (text: string): boolean =>
  httpUrl(text) !== null && /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text)

/** True for an origin of the web: https, or http on this machine. */
export function isWebOrigin(text: string): boolean {
  const { protocol, hostname = '' } = httpUrl(text) ?? {}
  return isHttpOrigin(text) && (protocol === 'https:' || isUnder(hostname, 'localhost'))
}

/** True if no app can own the text's scheme: such pages have no origin, run in another page, or belong to the browser. */
export const isUnusableScheme = (text: string) =>
  /^(about|blob|data|file|filesystem|ftp|intent|javascript|vbscript|view-source|wss?):/.test(text)

/** True for this domain and every host below it. */
export const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
