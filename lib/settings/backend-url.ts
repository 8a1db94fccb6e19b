/** Whether it is a BACKEND_URL that we know what to do with: an origin alone, because paths are forwarded as they are. */
export function isHttpOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return /^https?:$/.test(url?.protocol ?? '') && url?.origin === text.replace(/\/$/, '').toLowerCase()
}
