'use client'

import { type ReactNode, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action'
import { type AdminAction, FormEnd, UnsavedQuestion, useAdminAction } from '@/components/admin/actions'
import { AppFields, type AppKind, appFields, GroupChecks, readAppFields } from '@/components/admin/app-fields'
import { AppValues } from '@/components/admin/app-values'
import { AppIcon } from '@/components/apps/app-icon'
import { ButtonLink } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Disclosure } from '@/components/ui/forms/controls'
import { Field, Form, submitWhenFilled, textOf, textsOf } from '@/components/ui/forms/form'
import { ShownOnce } from '@/components/ui/hand-over'
import { navigate } from '@/components/ui/navigation'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { TextLink } from '@/components/ui/text-link'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { PostBody, PostResult } from '@/lib/api/endpoints'
import { atAddress, exampleAddressOf, type KnownApp, readAddress, registrationOf } from '@/lib/known-apps'

type Added = PostResult<'/api/admin/apps/add'>

/** The first step of adding an app: which one it is. @param names of the apps of docs/apps.json */
export function AppChooser({ names }: { names: readonly string[] }) {
  const words = useWords('adminApps')
  const [typed, setTyped] = useState('')
  const sought = foldedOf(typed)
  const found = names.filter((name) => foldedOf(name).includes(sought))
  const kinds = [
    ['other', words.another, words.anotherText],
    ['machine', words.machine, words.machineChoice],
    ['device', words.noBrowser, words.noBrowserText],
  ] as const
  return (
    <>
      <h1 className="text-display font-semibold">{words.choose}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.chooseLead}</p>
      {/* It looks through what the page has, and so needs the script. */}
      <search className="mt-6 max-w-sm noscript:hidden">
        <Field
          name="app"
          type="search"
          label={words.findApp}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </search>
      <p role="status" className="not-empty:mt-4 text-muted">
        {found.length === 0 && words.notKnown}
      </p>
      <ul className="mt-4 grid not-has-[li]:hidden grid-cols-[repeat(auto-fill,minmax(min(10.5rem,100%),1fr))] gap-2.5">
        {found.map((name) => (
          <li key={name} className="grid">
            <a
              href={`/admin/apps?${new URLSearchParams({ add: name })}`}
              className={`flex items-center gap-2.5 px-3 ${choiceLook}`}
            >
              <AppIcon app={{ name }} className="size-8" />
              <bdi className="min-w-0 font-medium">{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <ul className="mt-6 grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-2.5">
        {kinds.map(([kind, name, text]) => (
          <li key={kind} className="grid">
            <a href={`/admin/apps?add=${kind}`} className={`px-4 ${choiceLook}`}>
              <span className="font-medium">{name}</span>
              <span className="block text-small text-muted">{text}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-4">
        <TextLink href="/admin/apps">{words.backToApps}</TextLink>
      </p>
    </>
  )
}

const foldedOf = (text: string) => text.trim().toLowerCase()

const choiceLook =
  'min-h-11 min-w-0 rounded-card border border-line bg-surface py-3 break-words hover:border-edge hover:bg-sunken'

interface Props {
  /** None for an app that docs/apps.json does not have */
  known?: KnownApp
  kind?: AppKind
  title: string
  lead: string
  groups: readonly string[]
}

/** Adds an app, and then shows what to enter in it. */
export function NewApp({ known, kind, title, lead, groups }: Props) {
  const words = useWords('adminApps')
  const { site } = useAccountContext()
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { focusAfterUpdate } = usePageFeedback()
  const action = useAdminAction(form)
  const [added, setAdded] = useState<{ answer: Added; known: KnownApp | null } | null>(null)
  const add = (body: PostBody<'/api/admin/apps/add'>, at: KnownApp | null) =>
    action.call('add', '/api/admin/apps/add', body, { title: words.addFailed, fields: appFields }, (answer) => {
      setAdded({ answer, known: at })
      focusAfterUpdate(() => heading.current)
      return { tone: 'info', text: fill(words.added, { app: answer.app.name }) }
    })
  const shownTitle = added ? fill(words.pasteTitle, { app: added.answer.app.name }) : title
  useChangedTitle(shownTitle, site.appName)
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-display font-semibold outline-none">
        {shownTitle}
      </h1>
      {added ? (
        <Handover {...added} />
      ) : (
        <>
          <p className="mt-2 mb-6 max-w-prose text-lead text-muted">{lead}</p>
          {known ? (
            <KnownAppForm form={form} action={action} known={known} groups={groups} onAdd={add} />
          ) : (
            <OtherAppForm form={form} action={action} kind={kind} groups={groups} onAdd={(body) => add(body, null)} />
          )}
        </>
      )}
    </>
  )
}

/** The values for the app. They hold its secret, which is shown this once. */
function Handover({ answer: { app, secret, issuer }, known }: { answer: Added; known: KnownApp | null }) {
  const words = useWords('adminApps')
  const { once } = useWords('handOver')
  const fill = useFill()
  const page = `/admin/apps/${encodeURIComponent(app.id)}`
  const values = (onCopied?: () => void) => (
    <div className="rounded-card border border-line bg-surface px-card py-5 shadow-raised">
      <AppValues
        name={app.name}
        known={known}
        issuer={issuer}
        id={app.id}
        secret={secret}
        isPublic={app.public}
        heading="h2"
        {...(onCopied && { onCopied })}
      />
    </div>
  )
  if (secret === undefined)
    return (
      <div className="mt-6 max-w-2xl">
        {values()}
        <div className="mt-6 grid wrap-anywhere sm:justify-start">
          <ButtonLink href={page} look="primary">
            {fill(words.goOn, { app: app.name })}
          </ButtonLink>
        </div>
      </div>
    )
  return (
    <div className="mt-2 max-w-2xl">
      <p className="mb-6 text-lead text-muted">{once}</p>
      <ShownOnce onKept={() => navigate(page)}>{values}</ShownOnce>
    </div>
  )
}

interface FormProps {
  form: React.RefObject<HTMLFormElement | null>
  action: AdminAction
  groups: readonly string[]
}

/** A known app needs one address: where its people open it. */
function KnownAppForm({
  form,
  action,
  known,
  groups,
  onAdd,
}: FormProps & { known: KnownApp; onAdd: (body: PostBody<'/api/admin/apps/add'>, at: KnownApp) => void }) {
  const words = useWords('adminApps')
  const fill = useFill()
  const example = exampleAddressOf(known)
  const [typed, setTyped] = useState('')
  const address = readAddress(typed)
  const here = atAddress(known, address ?? example ?? '')
  const errors = action.failure?.fields
  const submit = submitWhenFilled(action, (data) => {
    if (example !== null && address === null) {
      action.setFieldErrors({ address: fill(words.badAddress, { example }) })
      return
    }
    onAdd(
      {
        ...registrationOf(here),
        name: textOf(data, 'name').trim(),
        groups: textsOf(data, 'groups'),
        ...(address !== null && { homeUrl: address }),
      },
      here,
    )
  })
  return (
    <AppForm form={form} action={action} onSubmit={submit} label={fill(words.addOne, { app: known.name })}>
      {example !== null && (
        <Field
          name="address"
          label={fill(words.address, { app: known.name })}
          hint={fill(words.addressHint, { example })}
          missing={fill(words.badAddress, { example })}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          onChange={({ target }) => setTyped(target.value)}
          error={errors?.address ?? errors?.redirectUris ?? errors?.homeUrl}
        />
      )}
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        missing={words.enterName}
        defaultValue={known.name}
        autoComplete="off"
        error={errors?.name}
      />
      <GroupChecks groups={groups} chosen={[]} error={errors?.groups} />
      <Disclosure title={words.willRegister}>
        <ul dir="ltr" translate="no" className="space-y-1 font-mono text-small wrap-anywhere text-muted">
          {[...here.redirectUris, ...here.options].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Disclosure>
    </AppForm>
  )
}

function OtherAppForm({
  form,
  action,
  kind,
  groups,
  onAdd,
}: FormProps & { kind: AppKind | undefined; onAdd: (body: PostBody<'/api/admin/apps/add'>) => void }) {
  const words = useWords('adminApps')
  const submit = submitWhenFilled(action, (data) => {
    const id = textOf(data, 'id').trim()
    onAdd({ ...readAppFields(data), ...(kind === 'machine' && { machine: true }), ...(id !== '' && { id }) })
  })
  return (
    <AppForm form={form} action={action} onSubmit={submit} label={words.addApp}>
      <AppFields app={null} kind={kind} groups={groups} errors={action.failure?.fields} />
    </AppForm>
  )
}

function AppForm({
  form,
  action,
  onSubmit,
  label,
  children,
}: Pick<FormProps, 'form' | 'action'> & {
  onSubmit: React.ComponentProps<typeof Form>['onSubmit']
  label: string
  children: ReactNode
}) {
  return (
    <Form action={action} ref={form} onSubmit={onSubmit} className="max-w-xl space-y-5">
      <ActionMessages action={action} />
      <UnsavedQuestion form={form} action={action} />
      {children}
      <FormEnd label={label} action={action} list="/admin/apps" />
    </Form>
  )
}
