/** Leaves the page by a full navigation, so that nothing of another session stays in memory. */
export function navigate(path: string): undefined {
  window.location.assign(path)
}

/** Continues after signing in. Keeps the fragment, which browsers carry through redirects, as from /.well-known/change-password. */
export function navigateAfterSignIn(next: string): undefined {
  document.documentElement.dataset.letIn = ''
  return navigate(next.includes('#') ? next : next + window.location.hash)
}
