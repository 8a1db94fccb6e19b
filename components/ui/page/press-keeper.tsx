import { settleMilliseconds } from '@/components/ui/page/settle-milliseconds'

/**
 * Keeps what a person does before React listens. The last press of a button is kept for `ReplayPress`: a click would be lost, and
 * a form would be sent by the browser, to a page that takes no POST. A popover opens without React. What is typed stays in its
 * field, and the focus with it, also where React renders the page anew since an extension has put an element into it.
 */
export const PressKeeper = ({ nonce }: { nonce: string | undefined }) => (
  // Browsers hide the nonce from scripts, and so from React's comparison.
  <script nonce={nonce} suppressHydrationWarning>
    {script}
  </script>
)

/**
 * Also listens to `submit`: Enter in a form without a submit button fires no click. A click that comes with the window's focus
 * is dropped, for the reason of `useSettledPress`. Fades by an animation, because an attribute would be a hydration mismatch.
 *
 * The observer runs once React has rendered and before the browser hands over another key, so that no letter of a password gets
 * into the username, which a page that is rendered anew focuses. A field, button or link is found again as the one that is alike,
 * by its place among those.
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
