import { withNext } from '@/lib/api/with-next'
import { interactionOfPath } from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { afterSignIn, appHost, destinationFrom, type Next, safeNext, viaAccessCookie } from '../visitor/redirects'

interface Destination {
  href: string
  /** The name or host of the app there; null for a page of this site. */
  app: string | null
}

/** The destination of a page that stands between a sign-in or sign-up and `next`. */
export async function loadDestination(page: string, next: Next): Promise<Destination> {
  const destination = destinationFrom(page, next)
  const { homeUrl, appName } = settings()
  const app = destination === homeUrl ? appName : await appAt(destination)
  return { href: viaAccessCookie(destination), app }
}

/** The app that sent a person to the sign-in or sign-up page. */
export const sendingApp = (next: Next): Promise<string | null> => appAt(safeNext(next))

const appAt = async (path: string) => (await interactionOfPath(path))?.app ?? appHost(path)

/** The page's path, with `next` if it was given once. */
export const carryNext = (page: string, next: Next): string => (typeof next === 'string' ? withNext(page, next) : page)

/** The path of /signin or /signup from the other one, without `next` if that is where a sign-in leads by itself. */
export function switchPath(page: string, next: Next): string {
  const destination = afterSignIn(next)
  return destination === afterSignIn(undefined) ? page : withNext(page, destination)
}
