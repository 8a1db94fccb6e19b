/** Next reads its scripts' nonce from this request header; proxy.ts skips requests that have it. */
export const policyHeader = 'content-security-policy'

/** The nonce of a page's styles and scripts, from the request header that was set when the page was prepared. */
export const nonceOf = (headers: Headers) => /'nonce-([\w+/=]+)'/.exec(headers.get(policyHeader) ?? '')?.[1]
