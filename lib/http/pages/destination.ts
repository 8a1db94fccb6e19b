import { interactionOfPath } from '@/lib/openid/requests/interaction'
import { settings } from '@/lib/settings/settings'
import { appHost, type Next, onwardFrom, safeNext, viaAccessCookie } from '../visitor/redirects'

/** `app`: the name or host of the app there; null for a page of this site. */
interface WayOn {
  href: string
  app: string | null
}

/** The way on from a page that stands between a sign-in or sign-up and `next`. */
export async function wayOnFrom(page: string, next: Next): Promise<WayOn> {
  const destination = onwardFrom(page, next)
  const { homeUrl, appName } = settings()
  const app = destination === homeUrl ? appName : await appAt(destination)
  return { href: viaAccessCookie(destination), app }
}

/** The app that sent a person to the sign-in or sign-up page. */
export const sendingApp = (next: Next): Promise<string | null> => appAt(safeNext(next))

const appAt = async (path: string) => (await interactionOfPath(path))?.app ?? appHost(path)

export const carryNext = (next: Next): string => (typeof next === 'string' ? `?${new URLSearchParams({ next })}` : '')
