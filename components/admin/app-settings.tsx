'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionMessages, useRefresh } from '@/components/account/action'
import { FormButtons } from '@/components/account/setting'
import { Deletion, SaveBar, UnsavedQuestion, useAdminAction, useSettingsChange } from '@/components/admin/actions'
import { AppFields, appFields, readAppFields } from '@/components/admin/app-fields'
import { AppValues } from '@/components/admin/app-values'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/forms/controls'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { CopyField, ShownOnce } from '@/components/ui/hand-over'
import { MomentInText } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { RegisteredApp } from '@/lib/api/schemas'
import { postAsOperator } from '@/lib/browser/admin'
import type { KnownApp } from '@/lib/known-apps'

interface Props {
  app: RegisteredApp
}

/** Changes an app; shows one that a file manages. */
export function ChangeApp({ app, groups }: Props & { groups: readonly string[] }) {
  const words = useWords('adminApps')
  const { once } = useWords('handOver')
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const refresh = useRefresh(form)
  const [madeSecret, setMadeSecret] = useState<string | null>(null)
  const { opened, change } = useSettingsChange(form, app)
  const submit = submitWhenFilled(action, (data) => {
    let made: string | undefined
    const settings = {
      given: readAppFields(data),
      read: async () => (await postAsOperator('/api/admin/apps/show', { app: app.id })).app,
      write: async (changes: object) => {
        made = (await postAsOperator('/api/admin/apps/change', { app: app.id, ...changes })).secret
      },
      title: words.changeFailed,
      fields: appFields,
    }
    change(action, settings, () => {
      refresh()
      if (made !== undefined) setMadeSecret(made)
      return words.changed
    })
  })
  return (
    <>
      {madeSecret !== null && (
        <div className="mb-6">
          <ShownOnce onKept={() => setMadeSecret(null)}>
            {(onCopied) => <CopyField label={words.clientSecret} value={madeSecret} hint={once} onCopied={onCopied} />}
          </ShownOnce>
        </div>
      )}
      <Form action={action} ref={form} tabIndex={-1} onSubmit={submit} className="space-y-5 outline-none">
        <ActionMessages action={action} />
        <UnsavedQuestion form={form} action={action} />
        {/* Anew once the app has changed, with what the server now has. */}
        <fieldset disabled={app.managed} className="max-w-xl">
          <AppFields key={JSON.stringify(opened)} app={opened} groups={groups} errors={action.failure?.fields} />
        </fieldset>
        {!app.managed && <SaveBar label={words.saveChanges} action={action} />}
      </Form>
    </>
  )
}

/** How long the old secret may work, in hours. */
const lifetimes = { '0': 0, '1h': 1, '24h': 24, '7d': 168 } as const
type Lifetime = keyof typeof lifetimes

/** Gives the app another secret; the one before may stay valid for a while. */
export function NewSecret({ app, known, issuer }: Props & { known: KnownApp | null; issuer: string }) {
  const words = useWords('adminApps')
  const { once } = useWords('handOver')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<{ secret: string; oldUntil: string | null } | null>(null)
  const names: Record<Lifetime, string> = {
    '0': words.keepNo,
    '1h': words.keepHour,
    '24h': words.keepDay,
    '7d': words.keepWeek,
  }
  const submit = submitWhenFilled(action, (data) => {
    const keepOld = textOf(data, 'keepOld') as Lifetime
    const body = { app: app.id, ...(keepOld !== '0' && { keepOld }) }
    const wording = { title: words.secretFailed, fields: ['keepOld'] }
    action.call('secret', '/api/admin/apps/new-secret', body, wording, ({ secret }) => {
      const hours = lifetimes[keepOld]
      setOpen(false)
      setMade({ secret, oldUntil: hours > 0 ? new Date(Date.now() + hours * 3_600_000).toISOString() : null })
      return { tone: 'info', text: once }
    })
  })
  if (made !== null)
    return (
      <ShownOnce onKept={() => setMade(null)}>
        {(onCopied) => (
          <>
            <p className="font-medium">{once}</p>
            <p className="mt-1 mb-4">
              {made.oldUntil === null ? (
                fill(words.oldSecretEnded, { app: app.name })
              ) : (
                <Filled
                  message={words.oldSecretUntil}
                  values={{ app: app.name, date: <MomentInText at={made.oldUntil} /> }}
                />
              )}
            </p>
            <AppValues
              name={app.name}
              known={known}
              issuer={issuer}
              id={app.id}
              secret={made.secret}
              isPublic={false}
              heading="h3"
              onCopied={onCopied}
            />
          </>
        )}
      </ShownOnce>
    )
  return (
    <>
      <AppValues
        name={app.name}
        known={known}
        issuer={issuer}
        id={app.id}
        secret={undefined}
        isPublic={app.public}
        isManaged={app.managed}
        heading="h3"
      />
      {!app.public && !app.managed && (
        <div className="mt-5 border-t border-line pt-4">
          {isOpen ? (
            <Form action={action} ref={form} onSubmit={submit} className="max-w-sm space-y-4">
              <ActionMessages action={action} />
              <Select name="keepOld" label={words.keepOld} hint={words.keepOldHint} defaultValue="24h">
                {Object.entries(names).map(([lifetime, name]) => (
                  <option key={lifetime} value={lifetime}>
                    {name}
                  </option>
                ))}
              </Select>
              <FormButtons label={words.makeSecret} pending={action.pending !== null} onCancel={() => setOpen(false)} />
            </Form>
          ) : (
            <Button
              look="secondary"
              aria-label={fill(words.newSecretOf, { app: app.name })}
              onClick={() => setOpen(true)}
            >
              {words.newSecret}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

/** Deletes the app, after saying what goes with it. */
export function DeleteApp({ app }: Props) {
  const words = useWords('adminApps')
  const fill = useFill()
  return (
    <Deletion
      title={words.deleteApp}
      about={fill(words.deleteAbout, { app: app.name })}
      label={words.deleteThis}
      question={fill(words.deleteQuestion, { app: app.name })}
      text={fill(words.deleteText, { app: app.name })}
      path="/api/admin/apps/delete"
      body={{ app: app.id }}
      failed={words.deleteFailed}
      list="/admin/apps"
    />
  )
}

/** Shows the page anew when somebody comes back from trying the app. */
export function RefreshOnReturn({ children }: { children: ReactNode }) {
  const router = useRouter()
  useEffect(() => {
    const comeBack = () => document.visibilityState === 'visible' && router.refresh()
    document.addEventListener('visibilitychange', comeBack)
    return () => document.removeEventListener('visibilitychange', comeBack)
  }, [router])
  return children
}
