import { withNext } from '@/lib/api/with-next'
import { findSession } from '@/lib/auth/sessions/find-session'
import { issueAccessCookie } from '@/lib/auth/tokens/access-cookie'
import { WithHeaders } from '../response/result-response'
import type { Call } from '../route'
import { accessCookieHeaders } from '../sessions/session-headers'
import { safeNext } from '../visitor/redirects'

/** Sets the access cookie and leads back to the app, or redirects to the sign-in page, which leads back here. */
export async function renewAccessCookie({ query, context }: Call): Promise<WithHeaders<null>> {
  const given = query.getAll('next')
  const next = safeNext(given.length === 1 ? given[0] : given)
  const session = await findSession(context.session)
  if (!session) return new WithHeaders(null, [['Location', withNext('/signin', next)]])
  const cookie = accessCookieHeaders(await issueAccessCookie(session.claims))
  return new WithHeaders(null, [['Location', next], ...cookie])
}
