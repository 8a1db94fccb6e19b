import { latchkey } from 'latchkey-kit/web'

const { handle, auth, requireUser } = latchkey()
const isProtected = (path) => path.startsWith('/notes')

/** @type {import('astro').MiddlewareHandler} */
export async function onRequest({ request, url, locals }, next) {
  const response = await handle(request)
  if (response) return response
  try {
    locals.user = isProtected(url.pathname) ? await requireUser(request) : await auth(request)
  } catch (refusal) {
    if (refusal instanceof Response) return refusal
    throw refusal
  }
  return next()
}
