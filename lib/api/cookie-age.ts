/**
 * Seconds: the longest that browsers keep a cookie (RFC 6265bis section 5.5). Not one of the `limits`, since scripts of pages
 * that need no other would carry them all.
 */
export const maxCookieSeconds = 400 * 86_400
