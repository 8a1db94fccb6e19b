/** How many milliseconds a program may take to open. */
const openingTime = 5_000

/**
 * Leaves the page by a full navigation, so that nothing of another session stays in memory.
 *
 * @param onStay runs if the page is still there although the navigation has opened a program
 */
export function navigate(path: string, onStay?: () => void): undefined {
  if (onStay) whenProgramHasOpened(path, onStay)
  window.location.assign(path)
}

/**
 * Calls `onStay` if the URL has opened a program and the page is still there. A URL of a custom scheme does so. A URL of the
 * web replaces the page, however slowly its site answers, unless a program has claimed it; the person then comes back to a page
 * that was hidden.
 */
function whenProgramHasOpened(path: string, onStay: () => void): void {
  if (!endsOnTheWeb(path)) {
    setTimeout(onStay, openingTime)
    return
  }
  document.addEventListener('visibilitychange', function comeBack() {
    if (document.visibilityState === 'hidden') return
    document.removeEventListener('visibilitychange', comeBack)
    onStay()
  })
}

/** Reads the parameters that say where the redirects of our own endpoints and pages end. */
function endsOnTheWeb(path: string): boolean {
  const { protocol, origin, searchParams } = new URL(path, window.location.href)
  if (!/^https?:$/.test(protocol)) return false
  const next = searchParams.get('redirect_uri') ?? searchParams.get('next')
  return origin !== window.location.origin || next === null || endsOnTheWeb(next)
}

/**
 * How long after the window's focus a click may have been for another window. A person takes longer to read a page. It stands
 * here because a server component and a client hook share it.
 */
export const settleMilliseconds = 500

/** Continues after signing in, with the fragment. */
export const navigateAfterSignIn = (next: string, onStay?: () => void): undefined =>
  navigate(withFragment(next, window.location.hash), onStay)

/**
 * Keeps the fragment, which browsers carry through redirects, as from /.well-known/change-password, unless it is an
 * invitation, which no app needs to see.
 */
export const withFragment = (next: string, fragment: string): string =>
  next.includes('#') || fragment.startsWith('#invitation=') ? next : next + fragment
