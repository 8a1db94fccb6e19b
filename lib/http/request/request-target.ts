/* Read as text: the host is what the client wrote, and `new URL()` throws on many. */

/** The path of an absolute or origin-form address, percent-encoded as it arrived. */
export const pathOf = (url: string) => /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'

/** Its query with the question mark; empty without one. */
export const searchOf = (url: string) => /\?[^#]*/.exec(url)?.[0] ?? ''
