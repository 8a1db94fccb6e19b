/** Headers of every page; HSTS only for https origins. */
export function securityHeaders(nonce: string, secure: boolean, development: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(nonce, development),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
    ...(secure && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
  }
}

/** Only scripts with this response's nonce run, and no site may frame the page, which prevents clickjacking (CSP Level 3). */
function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    // React's development build reports errors through eval.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    // Next's development overlay inserts style elements without the nonce.
    ...(development ? ["style-src-elem 'self' 'unsafe-inline'"] : []),
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
