/*
 * What a request asks for, read from its address as text: the host in it is what the client wrote, and `new URL()` throws on
 * many.
 */

/** @param url absolute or in origin form @returns the path, percent-encoded as it arrived */
export const pathOf = (url: string) => /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(url)?.[1] || '/'

/** @param url absolute or in origin form @returns the query with its question mark; empty without one */
export const searchOf = (url: string) => /\?[^#]*/.exec(url)?.[0] ?? ''
