'use client'

import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { ActionButton, ActionMessages, useAccountAction, useRefresh } from '@/components/account/action'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { ComputerIcon, DeviceIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { Moment } from '@/components/ui/words/day'
import { useFill } from '@/components/ui/words/filled'
import { useGivenClock, useLocale, useWords } from '@/components/ui/words/words'
import { newestFirst } from '@/lib/activity/events'
import type { Account, LiveSession, Method } from '@/lib/api/schemas'
import { signOutEverywhere, signOutEverywhereElse, signOutSessions } from '@/lib/browser/sign-in/session-end'
import { dateOf } from '@/lib/messages/format/dates'
import { browserLabel } from '@/lib/messages/format/text'

interface Props {
  own: Account['session']
  /** The account's live sessions. Only a record: `own` may be missing from it. */
  sessions: LiveSession[]
}

/** A sign-in that still lasts. Null: this one, which the header ends. */
interface SignIn {
  id: string | null
  method: Method
  at: string | undefined
  /** Null: the sign-in says it */
  lastActiveAt: string | null
}

/** The sign-ins of browsers with one name: nobody tells them apart by it, and one of them is often an earlier visit. */
interface Device {
  browser: string
  signIns: SignIn[]
}

/** This session first, then the newest. */
function devicesOf({ own, sessions }: Props, nameOf: (browser: string | null) => string): Device[] {
  const recorded = sessions.find(({ current }) => current)
  const [method = 'pwd'] = own.methods
  const byBrowser = new Map<string, SignIn[]>()
  for (const { id, browser, method, at, lastActiveAt } of sessions
    .filter(({ current }) => !current)
    .sort(newestFirst)) {
    const name = nameOf(browser)
    const signIn = { id, method, at, lastActiveAt: at.slice(0, 10) === lastActiveAt ? null : lastActiveAt }
    byBrowser.set(name, [...(byBrowser.get(name) ?? []), signIn])
  }
  const here = { id: null, method, at: recorded?.at, lastActiveAt: null }
  return [
    { browser: nameOf(recorded?.browser ?? ''), signIns: [here] },
    ...[...byBrowser].map(([browser, signIns]) => ({ browser, signIns })),
  ]
}

/** How many devices it shows at first, unless only one more remains: its line takes no more room than the button for it. */
const initiallyShown = 4

interface ListProps {
  heading?: 'h2' | 'h3'
  /** True if the owner should recognize all: the list then leaves none out, and this browser stays */
  isReview: boolean
}

/** The browsers in which the account is signed in, this one first, each with its way out. */
export function LiveSessions({ own, sessions, heading, isReview }: Props & ListProps) {
  const words = useWords('sessions')
  const { unknownBrowser } = useWords('activity')
  const fill = useFill()
  const list = useRef<HTMLDivElement>(null)
  const items = useRef<HTMLUListElement>(null)
  const [areAllShown, setAllShown] = useState(isReview)
  const { focusAfterUpdate } = usePageFeedback()
  const signOuts = useSignOuts(list)
  const nameOf = (browser: string | null) =>
    browser === null ? unknownBrowser : browser === '' ? words.thisBrowser : browserLabel(browser)
  const devices = devicesOf({ own, sessions }, nameOf)
  const isFolded = !areAllShown && devices.length > initiallyShown + 1

  function showAll() {
    setAllShown(true)
    // The button goes, so the first new device gets the focus.
    focusAfterUpdate(() => items.current?.children[initiallyShown] as HTMLElement | undefined)
  }
  return (
    <div ref={list} tabIndex={-1} className="rounded-card pt-1">
      <div className="px-card has-data-tone:pt-4">
        <ActionMessages action={signOuts.action} />
      </div>
      <ul ref={items} className="divide-y divide-line px-card">
        {(isFolded ? devices.slice(0, initiallyShown) : devices).map((device, index) => (
          <DeviceItem
            key={device.signIns[0]?.id ?? 'here'}
            device={device}
            heading={heading}
            badge={index === 0 ? words.thisDevice : undefined}
            isReview={isReview}
          >
            {/* The way out of this session is in the header. */}
            {index > 0 && <SignOutDevice device={device} signOuts={signOuts} />}
          </DeviceItem>
        ))}
      </ul>
      {isFolded && (
        <div className="border-t border-line px-card py-2">
          <Button look="quiet" className="outdent" onClick={showAll}>
            {fill(words.showAll, { count: devices.length })}
          </Button>
        </div>
      )}
      <SignOutOthers hasOthers={devices.length > 1} isReview={isReview} signOuts={signOuts} />
    </div>
  )
}

function DeviceItem({
  device: { browser, signIns },
  heading: Heading = 'h3',
  badge,
  isReview,
  children,
}: {
  device: Device
  heading: ListProps['heading']
  badge: string | undefined
  isReview: boolean
  children: ReactNode
}) {
  const fill = useFill()
  const { earlier } = useWords('sessions')
  const Icon = /Android|iOS|iPadOS/.test(browser) ? DeviceIcon : ComputerIcon
  const shown = isReview ? signIns : signIns.slice(0, 1)
  return (
    <li tabIndex={-1} className="flex gap-3.5 py-3.5 outline-none">
      <span className="mt-0.5 text-muted">
        <Icon />
      </span>
      <div className="min-w-0 grow">
        <Row controls={children}>
          <div className="flex flex-wrap items-center gap-x-2.5">
            <Heading className="min-w-0 font-medium break-words">
              <bdi>{browser}</bdi>
            </Heading>
            {badge && <Badge tone="accent">{badge}</Badge>}
          </div>
          {shown.map((signIn) => (
            <p key={signIn.id ?? 'here'} className="text-small text-muted not-first-of-type:mt-1">
              <Facts {...signIn} />
            </p>
          ))}
          {shown.length < signIns.length && (
            <p className="text-small text-muted">{fill(earlier, { count: signIns.length - shown.length })}</p>
          )}
        </Row>
      </div>
    </li>
  )
}

function Facts({ method, at, lastActiveAt }: SignIn) {
  const fill = useFill()
  const words = useWords('sessions')
  const { methods } = useWords('activity')
  return (
    <>
      <span className="block sm:inline">{fill(words.signedIn, { method: methods[method] })}</span>
      {at && (
        <>
          <span className="hidden sm:inline"> · </span>
          <span className="*:first-letter:uppercase">
            <Moment at={at} />
          </span>
        </>
      )}
      {lastActiveAt !== null && <LastActive on={lastActiveAt} />}
    </>
  )
}

/** Shows the API's UTC day, which without a time has no other day in the reader's zone. */
function LastActive({ on }: { on: string }) {
  const fill = useFill()
  const locale = useLocale()
  const { now } = useGivenClock()
  const { activeToday, activeOn } = useWords('sessions')
  const isToday = on === new Date(now).toISOString().slice(0, 10)
  return (
    <span className="block">
      {isToday ? activeToday : fill(activeOn, { date: dateOf(locale, on, { zone: 'UTC', now }) })}
    </span>
  )
}

/** Ends sessions of the account: those of a browser, all but this one, or all, which leaves the page. */
export function useSignOuts(list: RefObject<HTMLElement | null>) {
  const words = useWords('sessions')
  const fill = useFill()
  const refresh = useRefresh(list)
  const action = useAccountAction(list)

  const stay = (message: string) => () => {
    refresh()
    return message
  }
  return {
    action,
    one: ({ browser, signIns }: Device) =>
      action.run(
        browser,
        () => signOutSessions(signIns.flatMap(({ id }) => id ?? [])),
        stay(fill(words.browserSignedOut, { browser })),
      ),
    elsewhere: () => action.run('elsewhere', signOutEverywhereElse, stay(words.signedOutElsewhere)),
    everywhere: () => action.run('everywhere', signOutEverywhere, () => navigate('/signin')),
  }
}

interface SignOutsProps {
  signOuts: ReturnType<typeof useSignOuts>
}

function SignOutDevice({ device, signOuts: { action, one } }: SignOutsProps & { device: Device }) {
  const { signOut } = useWords('account')
  const { signOutBrowser } = useWords('sessions')
  const fill = useFill()
  return (
    <ActionButton
      action={action}
      name={device.browser}
      look="quiet"
      // Names the browser, so that screen readers can tell the buttons apart, too.
      aria-label={fill(signOutBrowser, { browser: device.browser })}
      onClick={() => one(device)}
    >
      {signOut}
    </ActionButton>
  )
}

/** Ends all other sessions, if there are any, or all of them. */
function SignOutOthers({
  hasOthers,
  isReview,
  signOuts: { action, elsewhere, everywhere },
}: SignOutsProps & { hasOthers: boolean; isReview: boolean }) {
  const words = useWords('sessions')
  // In a review, the answer below is the main button.
  const isMainAnswer = hasOthers && !isReview
  return (
    <div
      className={`flex flex-wrap gap-2.5 border-t border-line px-card ${isMainAnswer ? 'py-4 *:grow sm:*:grow-0' : 'py-2'}`}
    >
      {hasOthers && (
        <ActionButton
          action={action}
          name="elsewhere"
          look={isMainAnswer ? 'secondary' : 'quiet'}
          className={isMainAnswer ? '' : 'outdent'}
          onClick={elsewhere}
        >
          {words.signOutElsewhere}
        </ActionButton>
      )}
      {!isReview && (
        <ActionButton
          action={action}
          name="everywhere"
          look="quiet"
          className={hasOthers ? '' : 'outdent'}
          onClick={everywhere}
        >
          {words.signOutEverywhere}
        </ActionButton>
      )}
    </div>
  )
}
