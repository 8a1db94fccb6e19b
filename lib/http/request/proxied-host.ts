/**
 * The host that a reverse proxy asks forward-auth about. Next copies Host to X-Forwarded-Host, which names no app without
 * X-Forwarded-Uri.
 */
export function proxiedHost(headers: Headers): string | null {
  const host = headers.get('X-Forwarded-Host')
  return headers.has('X-Forwarded-Uri') || host !== headers.get('Host') ? host : null
}
