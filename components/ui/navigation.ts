/**
 * How long the redirects of a navigation may take, in milliseconds. A page that is still there then has led to a URL with a
 * scheme of its own, which opens a program and leaves the page as it is.
 */
const redirectTimeout = 5_000

/**
 * Leaves the page by a full navigation, so that nothing of another session stays in memory.
 *
 * @param onStay runs if the page is still there once its redirects have had their time
 */
export function navigate(path: string, onStay?: () => void): undefined {
  if (onStay) setTimeout(onStay, redirectTimeout)
  window.location.assign(path)
}
