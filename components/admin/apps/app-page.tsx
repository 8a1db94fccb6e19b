'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { ConfirmDialog } from '@/components/account/forms/confirm-dialog'
import { useRefresh } from '@/components/account/forms/use-refresh'
import { useAdminAction } from '@/components/admin/use-admin-action'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/forms/controls'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { CopyField, ShownOnce } from '@/components/ui/hand-over'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { RegisteredApp } from '@/lib/api/schemas'
import type { KnownApp } from '@/lib/known-apps'
import { AppFields, appFields, readAppFields } from './app-fields'
import { AppValues } from './app-values'

interface Props {
  app: RegisteredApp
}

/** Changes an app; shows one that a file manages. Sends only the fields that differ, so that two administrators keep each other's changes. */
export function ChangeApp({ app, groups }: Props & { groups: readonly string[] }) {
  const words = useWords('adminApps')
  const { once } = useWords('handOver')
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const refresh = useRefresh(form)
  const [madeSecret, setMadeSecret] = useState<string | null>(null)
  const submit = submitWhenFilled(action, (data) => {
    const now: Record<string, unknown> = { ...app }
    const changed = Object.fromEntries(
      Object.entries(readAppFields(data)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name]),
      ),
    )
    const wording = { title: words.changeFailed, fields: appFields }
    action.call('change', '/api/admin/apps/change', { app: app.id, ...changed }, wording, ({ secret }) => {
      refresh()
      if (secret !== undefined) setMadeSecret(secret)
      return words.changed
    })
    return undefined
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
      <Form action={action} ref={form} tabIndex={-1} onSubmit={submit} className="max-w-xl space-y-5 outline-none">
        <ActionMessages action={action} />
        {/* Anew once the app has changed, with what the server now has. */}
        <fieldset disabled={app.managed}>
          <AppFields key={JSON.stringify(app)} app={app} groups={groups} errors={action.failure?.fields} />
        </fieldset>
        {!app.managed && (
          <Button type="submit" pending={action.pending !== null}>
            {words.saveChanges}
          </Button>
        )}
      </Form>
    </>
  )
}

const lifetimes = ['0', '1h', '24h', '7d'] as const

/** Gives the app another secret; the one before may stay valid for a while. */
export function NewSecret({ app, known, issuer }: Props & { known: KnownApp | null; issuer: string }) {
  const words = useWords('adminApps')
  const { once } = useWords('handOver')
  const { cancel } = useWords('forms')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const names = { '0': words.keepNo, '1h': words.keepHour, '24h': words.keepDay, '7d': words.keepWeek }
  const submit = submitWhenFilled(action, (data) => {
    const keepOld = textOf(data, 'keepOld')
    const body = { app: app.id, ...(keepOld !== '0' && { keepOld }) }
    const wording = { title: words.secretFailed, fields: ['keepOld'] }
    action.call('secret', '/api/admin/apps/new-secret', body, wording, (made) => {
      setOpen(false)
      setSecret(made.secret)
      return { tone: 'info', text: once }
    })
    return undefined
  })
  if (secret !== null)
    return (
      <ShownOnce onKept={() => setSecret(null)}>
        {(onCopied) => (
          <>
            <p className="mb-4 font-medium">{once}</p>
            <AppValues
              name={app.name}
              known={known}
              issuer={issuer}
              id={app.id}
              secret={secret}
              isPublic={false}
              onCopied={onCopied}
            />
          </>
        )}
      </ShownOnce>
    )
  return (
    <>
      <AppValues name={app.name} known={known} issuer={issuer} id={app.id} secret={undefined} isPublic={app.public} />
      {!app.public && !app.managed && (
        <div className="mt-5 border-t border-line pt-4">
          {isOpen ? (
            <Form action={action} ref={form} onSubmit={submit} className="max-w-sm space-y-4">
              <ActionMessages action={action} />
              <Select name="keepOld" label={words.keepOld} hint={words.keepOldHint} defaultValue="24h">
                {lifetimes.map((lifetime) => (
                  <option key={lifetime} value={lifetime}>
                    {names[lifetime]}
                  </option>
                ))}
              </Select>
              <div className="flex flex-wrap gap-2">
                <Button type="submit" pending={action.pending !== null}>
                  {words.makeSecret}
                </Button>
                <Button look="quiet" disabled={action.pending !== null} onClick={() => setOpen(false)}>
                  {cancel}
                </Button>
              </div>
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
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form, { inDialog: true })
  const [isOpen, setOpen] = useState(false)
  const remove = () =>
    action.call('delete', '/api/admin/apps/delete', { app: app.id }, { title: words.deleteFailed }, () =>
      navigate('/admin/apps'),
    )
  return (
    <div className="mt-10 px-card">
      <h2 className="text-title font-semibold">{words.deleteApp}</h2>
      <p className="mt-1 max-w-prose text-muted">{fill(words.deleteAbout, { app: app.name })}</p>
      <span className="outdent mt-2 inline-flex">
        <Button look="quiet-danger" onClick={() => setOpen(true)}>
          {words.deleteThis}
        </Button>
      </span>
      {isOpen && (
        <ConfirmDialog
          title={fill(words.deleteQuestion, { app: app.name })}
          text={fill(words.deleteText, { app: app.name })}
          form={form}
          action={action}
          confirm={words.deleteThis}
          onConfirm={remove}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
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
