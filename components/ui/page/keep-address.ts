/**
 * Makes the links to the page in other languages lead to it as it is when one is pressed: the server wrote them, which knows
 * of no fragment and of no view that was opened since.
 *
 * @returns stops it
 */
export function keepAddressInOtherLanguages(): () => void {
  const keep = ({ target }: Event) => {
    const link = (target as Element).closest<HTMLAnchorElement>('a[hreflang]')
    if (!link) return
    const query = new URLSearchParams(window.location.search)
    query.set('locale', link.hreflang)
    link.href = `?${query}${window.location.hash}`
  }
  document.addEventListener('click', keep, true)
  return () => document.removeEventListener('click', keep, true)
}
