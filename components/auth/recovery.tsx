'use client'

import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { NewPasswordField } from '@/components/auth/new-password-field'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { useFragment } from '@/components/auth/url-fragment'
import { Button, ButtonLink } from '@/components/ui/button'
import { Divider } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages, PageFeedbackProvider, useAction, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Field, Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { navigate } from '@/components/ui/navigation'
import { useChangedTitle, useKeepQueryInLanguageLinks } from '@/components/ui/page/title-and-url'
import { MomentInText } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { isFailure } from '@/lib/browser/failures/outcomes'
import {
  askForRecovery,
  confirmRecovery,
  type RecoveryState,
  recoverWithPasskey,
  recoverWithPassword,
  showRecovery,
  stopRecovery,
} from '@/lib/browser/sign-in/recover'

interface Props {
  site: Site
  /** How long the wait is, in words */
  wait: string
}

/** A recovery by mail: asks for a letter, or goes on with the one whose link has led here. */
export function Recovery(props: Props) {
  const token = useFragment() || null
  const [origin] = props.site.origins
  useKeepQueryInLanguageLinks()
  // The link of the letter leads there, where this browser must have the cookie that it asks with.
  useEffect(() => {
    const { origin: here, pathname, hash } = window.location
    if (here !== origin) window.location.replace(`${origin}${pathname}${hash}`)
  }, [origin])
  return (
    <PageFeedbackProvider supportUrl={props.site.supportUrl}>
      {token === null ? <Ask {...props} /> : <LinkOfLetter key={token} {...props} token={token} />}
    </PageFeedbackProvider>
  )
}

/** The title takes the focus when the page shows something else, so that screen readers go on from there. */
function View({
  title,
  lead,
  appName,
  children,
}: {
  title: string
  lead?: ReactNode
  appName: string
  children?: ReactNode
}) {
  useChangedTitle(title, appName)
  return (
    <>
      <h1 tabIndex={-1} className="text-center text-display font-semibold break-words outline-none">
        {title}
      </h1>
      {lead && <p className="mt-2.5 text-center text-balance break-words text-muted">{lead}</p>}
      <div className="mt-6">{children}</div>
    </>
  )
}

/** Moves the focus to the new title. */
function useNewView() {
  const { focusAfterUpdate } = usePageFeedback()
  return () => focusAfterUpdate(() => document.querySelector<HTMLElement>('main h1'))
}

function Ask({ site: { appName }, wait }: Props) {
  const words = useWords('recover')
  const focusTitle = useNewView()
  const [isAsked, setAsked] = useState(false)
  function show(asked: boolean) {
    setAsked(asked)
    focusTitle()
  }
  return isAsked ? (
    <View title={words.askedTitle} lead={words.asked} appName={appName}>
      <Button look="secondary" className="w-full" onClick={() => show(false)}>
        {words.askAgain}
      </Button>
    </View>
  ) : (
    <View title={words.title} lead={words.lead} appName={appName}>
      <AskForm wait={wait} onAsked={() => show(true)} />
    </View>
  )
}

function AskForm({ wait, onAsked }: Pick<Props, 'wait'> & { onAsked: () => void }) {
  const words = useWords('recover')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form)
  const submit = submitWhenFilled(action, (data) =>
    action.run('ask', () => askForRecovery(textOf(data, 'username')), onAsked),
  )
  return (
    <>
      <Messages live place={action.place} />
      <Form action={action} ref={form} onSubmit={submit} className="space-y-4">
        <Field
          name="username"
          label={words.name}
          missing={words.enterName}
          hint={fill(words.about, { wait })}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          dir="ltr"
          autoFocus
          error={action.failure?.fields.username}
        />
        <Button type="submit" className="w-full" pending={action.pending !== null}>
          {words.send}
        </Button>
      </Form>
    </>
  )
}

/** How often it looks again once the time has come, since this clock may be ahead of the server's. */
const againMilliseconds = 10_000
/** Timers take no more. */
const longestMilliseconds = 2_147_483_647

function LinkOfLetter({ site, wait, token }: Props & { token: string }) {
  const { appName } = site
  const words = useWords('recover')
  const place = useId()
  const { show } = usePageFeedback()
  const focusTitle = useNewView()
  const [shown, setShown] = useState<RecoveryState | null>(null)
  async function look() {
    const outcome = await showRecovery(token, (next) => {
      setShown(next)
      if (shown !== null && next.state !== shown.state) focusTitle()
    })
    if (isFailure(outcome)) show({ place, alert: outcome })
  }
  // For effects, which would keep an earlier `look`, and so an earlier state to compare with.
  const lookNow = useEffectEvent(() => void look())
  useEffect(() => lookNow(), [])
  const readyAt = shown?.state === 'waiting' ? shown.at : null
  useEffect(() => {
    if (readyAt === null) return
    const left = Date.parse(readyAt) - Date.now()
    const timer = setInterval(lookNow, Math.min(Math.max(left, againMilliseconds), longestMilliseconds))
    return () => clearInterval(timer)
  }, [readyAt])
  switch (shown?.state) {
    case 'confirm':
      return <Confirm appName={appName} wait={wait} token={token} onStarted={() => void look()} />
    case 'waiting':
      return (
        <View
          title={words.waitingTitle}
          lead={<Filled message={words.waiting} values={{ time: <MomentInText at={shown.at ?? ''} /> }} />}
          appName={appName}
        >
          <Callout>{words.found}</Callout>
        </View>
      )
    case 'ready':
      return (
        <View title={words.readyTitle} appName={appName}>
          <Callout className="mb-5">{words.ends}</Callout>
          <NewWayIn site={site} token={token} />
        </View>
      )
    case 'other_browser':
      return (
        <View title={words.elsewhereTitle} lead={words.elsewhere} appName={appName}>
          <AskAnew look="secondary" />
        </View>
      )
    case 'over':
      return (
        <View title={words.overTitle} lead={words.over} appName={appName}>
          <AskAnew look="primary" />
        </View>
      )
    default:
      return (
        <View title={words.confirmTitle} lead={words.loading} appName={appName}>
          <Messages live place={place} />
        </View>
      )
  }
}

interface ConfirmProps extends Pick<Props, 'wait'> {
  appName: string
  token: string
  onStarted: () => void
}

function Confirm({ appName, wait, token, onStarted }: ConfirmProps) {
  const words = useWords('recover')
  const fill = useFill()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  return (
    <View title={words.confirmTitle} lead={fill(words.confirm, { wait })} appName={appName}>
      <div ref={scope}>
        <Messages live place={action.place} />
        <Callout className="mb-5">{words.ends}</Callout>
        <Button
          className="w-full"
          pending={action.pending !== null}
          onClick={() => void action.run('start', () => confirmRecovery(token), onStarted)}
        >
          {words.start}
        </Button>
      </div>
    </View>
  )
}

/** Drops the link, and shows the form. */
function AskAnew({ look }: { look: 'primary' | 'secondary' }) {
  const words = useWords('recover')
  const focusTitle = useNewView()
  return (
    <Button
      look={look}
      className="w-full"
      onClick={() => {
        window.location.hash = ''
        focusTitle()
      }}
    >
      {words.askAgain}
    </Button>
  )
}

function NewWayIn({ site, token }: { site: Site; token: string }) {
  const words = useWords('recover')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form)
  const unsupportedReason = usePasskeySupport(site)
  const { pending, busy, failure } = action
  // Without the fragment, which no other page needs.
  const onDone = () => navigate('/profile')
  const submit = submitWhenFilled(action, (data) =>
    action.run('password', () => recoverWithPassword(token, textOf(data, 'password')), onDone),
  )
  return (
    <>
      <Messages live place={action.place} />
      {unsupportedReason ? (
        <Callout className="mb-5">{unsupportedReason}</Callout>
      ) : (
        <PasskeyButton
          className="w-full"
          pending={pending === 'passkey'}
          disabled={busy}
          onClick={() => action.run('passkey', () => recoverWithPasskey(token), onDone)}
        >
          {words.createPasskey}
        </PasskeyButton>
      )}
      {site.passwords && (
        <>
          {!unsupportedReason && <Divider>{words.orPassword}</Divider>}
          <Form action={action} ref={form} onSubmit={submit} className="space-y-4">
            <NewPasswordField
              words={words.newPassword}
              missing={words.enterPassword}
              passwordMinLength={site.passwordMinLength}
              hint={fill(words.passwordHint, { min: site.passwordMinLength })}
              pending={busy}
              error={failure?.fields.password}
            />
            <Button
              type="submit"
              look={unsupportedReason ? 'primary' : 'secondary'}
              className="w-full"
              pending={pending === 'password'}
              disabled={busy}
            >
              {words.setPassword}
            </Button>
          </Form>
        </>
      )}
    </>
  )
}

/** Stops a recovery by the letter that says that it waits, and by a press: programs that look at links stop nothing. */
export function StopRecovery({ site }: { site: Site }) {
  useKeepQueryInLanguageLinks()
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      <Stop appName={site.appName} />
    </PageFeedbackProvider>
  )
}

function Stop({ appName }: Pick<Site, 'appName'>) {
  const words = useWords('recover')
  const token = useFragment() ?? ''
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const focusTitle = useNewView()
  const [end, setEnd] = useState<'stopped' | 'over' | null>(null)
  function stop() {
    let reached: 'stopped' | 'over' = 'stopped'
    const run = () =>
      stopRecovery(token, () => {
        reached = 'over'
      })
    void action.run('stop', run, () => {
      setEnd(reached)
      focusTitle()
    })
  }
  const signIn = <ButtonLink href="/signin">{words.signIn}</ButtonLink>
  return (
    <div ref={scope}>
      {end === null ? (
        <View title={words.stopTitle} lead={words.stop} appName={appName}>
          <Messages live place={action.place} />
          <Button look="danger" className="w-full" pending={action.pending === 'stop'} onClick={stop}>
            {words.stopIt}
          </Button>
        </View>
      ) : (
        <View
          title={end === 'stopped' ? words.stoppedTitle : words.overStopTitle}
          lead={end === 'stopped' ? words.stopped : words.overStop}
          appName={appName}
        >
          <div className="grid">{signIn}</div>
        </View>
      )}
    </div>
  )
}
