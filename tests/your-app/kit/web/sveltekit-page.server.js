import { redirect } from '@sveltejs/kit'

/** @type {import('@sveltejs/kit').ServerLoad} */
export function load({ locals, url }) {
  if (!locals.user) redirect(303, `/auth/sign-in?${new URLSearchParams({ next: url.pathname })}`)
  return { user: locals.user }
}
