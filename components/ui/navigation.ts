/** Leaves the page by a full navigation, so that nothing of another session stays in memory. */
export function navigate(path: string): undefined {
  window.location.assign(path)
}
