import { latchkey, withCookies } from 'latchkey-kit/web'
import { env } from '$env/dynamic/private'

const { handle: answer, renew } = latchkey({
  issuer: env.LATCHKEY_ISSUER,
  clientId: env.LATCHKEY_CLIENT_ID,
  clientSecret: env.LATCHKEY_CLIENT_SECRET,
  sessionSecret: env.LATCHKEY_SESSION_SECRET,
  appUrl: env.LATCHKEY_APP_URL,
})

/** @type {import('@sveltejs/kit').Handle} */
export async function handle({ event, resolve }) {
  const response = await answer(event.request)
  if (response) return response
  const { user, cookies } = await renew(event.request)
  event.locals.user = user
  return withCookies(await resolve(event), cookies)
}
