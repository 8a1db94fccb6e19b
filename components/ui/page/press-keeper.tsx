import { settleMilliseconds } from '@/components/ui/navigation'

/**
 * Keeps what a person does before React listens. Keeps the last press of a button for `ReplayPress`: otherwise a click would be
 * lost, and the browser would send a form to a page that takes no POST. A popover opens without React. Keeps text and focus in
 * their field, even if React renders the page anew because an extension has put an element into it.
 */
export const PressKeeper = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce from scripts, and so from React's comparison.
  <script nonce={nonce} suppressHydrationWarning>
    {script}
  </script>
)

/**
 * Listens to `submit`, too, because Enter in a form without a submit button fires no click. Drops a click that comes with the
 * window's focus, for the reason of `useSettledPress`. Fades by an animation, because an attribute would be a hydration
 * mismatch.
 *
 * The observer runs after React has rendered and before the browser hands over another key: a new page focuses the username,
 * which must not get a letter of the password. It finds a field, button or link again by its place among those that are alike.
 */
const script = `{
let replay, fading, focusedAt = -Infinity
const alike = ({ localName, type, name, textContent }) => [...document.querySelectorAll(localName)]
.filter(other => other.type === type && other.name === name && other.textContent === textContent)
const known = [...document.querySelectorAll('input, button, a')].map(element => ({ element, place: alike(element).indexOf(element) }))
const find = element => known.find(one => one.element === element)
let focused = find(document.activeElement)
const restore = () => {
  for (const one of known) {
    const { element, place } = one
    const next = element.isConnected ? null : alike(element)[place]
    if (!next) continue
    one.element = next
    if (element.localName === 'input') {
      next.value = element.value
      next.checked = element.checked
    }
    if (focused !== one) continue
    next.focus()
    if (element.selectionStart != null) next.setSelectionRange(element.selectionStart, element.selectionEnd)
  }
}
const observer = new MutationObserver(restore)
observer.observe(document, { childList: true, subtree: true })
const follow = event => { focused = find(event.target) ?? focused }
const note = event => { focusedAt = event.timeStamp }
const keep = event => {
  const { type, target } = event
  const button = type === 'click' ? target.closest('button') : target
  if (!button || button.hasAttribute('popovertarget')) return
  event.preventDefault()
  event.stopPropagation()
  if (event.detail > 0 && event.timeStamp - focusedAt < ${settleMilliseconds}) return
  const pressed = (type === 'click' ? [button] : [...button.elements]).map(find)
  replay = () => {
    const now = pressed.find(one => one?.element.isConnected)?.element
    if (type === 'click') (now ?? button).click()
    else (now?.form ?? button).requestSubmit()
  }
  fading?.cancel()
  fading = button.animate?.({ opacity: 0.55 }, { duration: 150, fill: 'forwards' })
}
addEventListener('focus', note)
addEventListener('focusin', follow)
addEventListener('click', keep, true)
addEventListener('submit', keep, true)
addEventListener('hydrated', () => {
  observer.disconnect()
  restore()
  removeEventListener('focus', note)
  removeEventListener('focusin', follow)
  removeEventListener('click', keep, true)
  removeEventListener('submit', keep, true)
  fading?.cancel()
  replay?.()
}, { once: true })
}`.replace(/\n\s*/g, '\n')
