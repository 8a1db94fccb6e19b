import { settleMilliseconds } from '@/components/ui/page/settle-milliseconds'

/**
 * Keeps the last press of a button that comes before React listens, for `ReplayPress`. Until then a click on a button would
 * be lost, and a form would be sent by the browser, to a page that takes no POST. A popover opens without React.
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
 */
const script = `{
let replay, fading, focusedAt = -Infinity
const note = event => { focusedAt = event.timeStamp }
const keep = event => {
  const { type, target } = event
  const button = type === 'click' ? target.closest('button') : target
  if (!button || button.hasAttribute('popovertarget')) return
  event.preventDefault()
  event.stopPropagation()
  if (event.detail > 0 && event.timeStamp - focusedAt < ${settleMilliseconds}) return
  fading?.cancel()
  fading = button.animate({ opacity: 0.55 }, { duration: 150, fill: 'forwards' })
  replay = () => type === 'click' ? button.click() : button.requestSubmit()
}
addEventListener('focus', note)
addEventListener('click', keep, true)
addEventListener('submit', keep, true)
addEventListener('hydrated', () => {
  removeEventListener('focus', note)
  removeEventListener('click', keep, true)
  removeEventListener('submit', keep, true)
  fading?.cancel()
  replay?.()
}, { once: true })
}`.replace(/\n\s*/g, '\n')
