/** Leaves the page by a full navigation, so that nothing of another session stays in memory. */
export function navigate(path: string): undefined {
  window.location.assign(path)
}

/**
 * Continues after signing in. Keeps the fragment, which browsers carry through redirects, as from /.well-known/change-password,
 * unless it is an invitation, which no app needs to see.
 */
export function navigateAfterSignIn(next: string): undefined {
  const { hash } = window.location
  return navigate(next.includes('#') || hash.startsWith('#invitation=') ? next : next + hash)
}
