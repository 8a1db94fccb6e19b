/**
 * How long the redirects of a navigation may take, in milliseconds. A page that is still there then has led to an address with a
 * scheme of its own, which opens a program and leaves the page as it is.
 */
export const redirectTimeout = 5_000

/** Leaves the page by a full navigation, so that nothing of another session stays in memory. */
export function navigate(path: string): undefined {
  window.location.assign(path)
}
