import { keepInTab, readFromTab, removeFromTab } from '../state/storage'
import { listenToTabs, postToTabs, type TabMessage } from '../state/tabs'

/*
 * Keeps the step-up token, which proves a credential of the last ten minutes and which sensitive changes need. Each tab keeps
 * its own copy. Tabs may hand it over, because a BroadcastChannel reaches this origin's pages only, and the token is worthless
 * without the HttpOnly session that these pages share anyway.
 */

interface StepUp {
  token: string
  /** When this browser got it, in milliseconds since 1970 */
  at: number
}

const key = 'latchkey.step-up'

/** Replaces storage that is full or forbidden; the page's end loses it. */
let unstored: StepUp | null = null

/** How many milliseconds other tabs have to answer. They need a few; without other tabs, this delays the dialog. */
const tabsTimeout = 300

function current(): StepUp | null {
  try {
    return JSON.parse(readFromTab(key) ?? 'null') ?? unstored
  } catch {
    return unstored
  }
}

function keep({ token, at }: StepUp): void {
  unstored = keepInTab(key, JSON.stringify({ token, at })) ? null : { token, at }
}

/** Returns the token to send, or null. It may have expired or belong to an earlier session: the server decides. */
export const stepUpToken = () => current()?.token ?? null

/** Keeps a token that the server has just issued. Its session replaced the one before, and so do all tabs' tokens. */
export function storeStepUp(token: string): void {
  const stepUp = { token, at: Date.now() }
  keep(stepUp)
  postToTabs({ type: 'step-up', ...stepUp })
}

export function forgetStepUp(): void {
  unstored = null
  removeFromTab(key)
}

/** Asks the other tabs for a newer token than this tab has. @returns whether one of them answered in time */
export function requestStepUp(): Promise<boolean> {
  const before = current()?.at ?? 0
  return new Promise((resolve) => {
    const stop = listenToTabs((message) => {
      if (message.type !== 'step-up' || message.at <= before) return
      keep(message)
      settle(true)
    })
    const timer = setTimeout(() => settle(false), tabsTimeout)
    function settle(answered: boolean) {
      clearTimeout(timer)
      stop()
      resolve(answered)
    }
    postToTabs({ type: 'step-up-wanted' })
  })
}

/** Takes part in the exchange: gives this tab's token to tabs that ask, and keeps newer ones. */
export function exchangeStepUp(message: TabMessage): void {
  const mine = current()
  if (message.type === 'step-up' && message.at > (mine?.at ?? 0)) keep(message)
  if (message.type === 'step-up-wanted' && mine) postToTabs({ type: 'step-up', ...mine })
}
