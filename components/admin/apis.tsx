'use client'

import { type RefObject, useRef, useState } from 'react'
import { ActionMessages, useRefresh } from '@/components/account/action'
import {
  type AdminAction,
  Deletion,
  FormEnd,
  SaveBar,
  UnsavedQuestion,
  useAdminAction,
  useSettingsChange,
} from '@/components/admin/actions'
import { GroupChecks } from '@/components/admin/app-fields'
import { Onward } from '@/components/admin/lists'
import { Button, ButtonLink } from '@/components/ui/button'
import { EmptyList } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Check, Checks, Select } from '@/components/ui/forms/controls'
import { Field, Form, Frame, submitWhenFilled, textOf, textsOf } from '@/components/ui/forms/form'
import { CopyField } from '@/components/ui/hand-over'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { TextLink } from '@/components/ui/text-link'
import { useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { RegisteredApi, RegisteredApp } from '@/lib/api/schemas'
import { postAsOperator } from '@/lib/browser/admin'
import { duration } from '@/lib/messages/format/dates'
import { listed } from '@/lib/messages/format/text'

type NamedApp = Pick<RegisteredApp, 'id' | 'name'>

/** An identifier has slashes, which proxies do not pass on in a path. */
const pageOf = (identifier: string) => `/admin/apis?${new URLSearchParams({ api: identifier })}`

/** Each API with the apps that may ask for its tokens. */
export function ApiList({ apis, apps, appName }: { apis: RegisteredApi[]; apps: NamedApp[]; appName: string }) {
  const words = useWords('adminApis')
  const { apis: title } = useWords('admin')
  const fill = useFill()
  const locale = useLocale()
  const add = (
    <ButtonLink href="/admin/apis?add" look="primary">
      {words.add}
    </ButtonLink>
  )
  function usersOf(api: RegisteredApi): string {
    if (api.apps === 'any') return words.forEveryApp
    const names = api.apps.map((id) => apps.find((app) => app.id === id)?.name ?? id)
    return names.length === 0 ? words.forNoApp : fill(words.forApps, { apps: listed(locale, names) })
  }
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-display font-semibold">{title}</h1>
          <p className="mt-2 max-w-prose text-lead text-muted">{fill(words.lead, { app: appName })}</p>
        </div>
        {apis.length > 0 && add}
      </div>
      {apis.length === 0 ? (
        <EmptyList title={words.none} text={words.noneText}>
          {add}
        </EmptyList>
      ) : (
        <ul className="mt-8 divide-y divide-line rounded-card border border-line bg-surface shadow-raised">
          {apis.map((api) => (
            <li key={api.identifier}>
              <a href={pageOf(api.identifier)} className="flex items-center gap-3.5 px-card py-3.5 hover:bg-sunken">
                <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-6 gap-y-0.5">
                  <bdi className="min-w-0 grow basis-48 font-medium break-words">{api.name}</bdi>
                  <bdi dir="ltr" className="min-w-0 basis-56 text-small wrap-anywhere text-muted">
                    {api.identifier}
                  </bdi>
                  <span className="min-w-0 basis-56 text-small break-words text-muted">{usersOf(api)}</span>
                </span>
                <Onward />
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const apiFields = ['name', 'identifier', 'scopes', 'apps', 'groups', 'lifetime']

/** The rows of `ScopeFields` that are not empty. */
function readScopes(data: FormData) {
  const sentences = textsOf(data, 'sentences')
  return textsOf(data, 'scopes')
    .map((name, index) => [name.trim(), sentences[index]?.trim() ?? ''] as const)
    .filter(([name, sentence]) => name !== '' || sentence !== '')
}

const readApiFields = (data: FormData) => ({
  name: textOf(data, 'name').trim(),
  scopes: Object.fromEntries(readScopes(data)),
  apps: data.has('anyApp') ? ('any' as const) : textsOf(data, 'apps'),
  groups: textsOf(data, 'groups'),
  lifetime: textOf(data, 'lifetime'),
})

/** The form of an API, which `send` gets once it names no scope twice: as an object it would lose the first. */
function useApiForm(form: RefObject<HTMLFormElement | null>, send: (action: AdminAction, data: FormData) => void) {
  const { scopeTwice } = useWords('adminApis')
  const fill = useFill()
  const action = useAdminAction(form)
  const submit = submitWhenFilled(action, (data) => {
    const names = readScopes(data).map(([name]) => name)
    const repeated = names.find((name, index) => names.indexOf(name) !== index)
    if (repeated === undefined) send(action, data)
    else action.setFieldErrors({ scopes: fill(scopeTwice, { scope: repeated }) })
  })
  return { action, submit }
}

interface Choices {
  apps: NamedApp[]
  groups: readonly string[]
}

interface FieldsProps extends Choices {
  /** Null for a new one */
  api: RegisteredApi | null
  errors: Record<string, string> | undefined
}

const lifetimes = ['5m', '15m', '30m', '1h']

const secondsOf = (lifetime: string) => Number(lifetime.slice(0, -1)) * ({ h: 3600, m: 60 }[lifetime.at(-1) ?? ''] ?? 1)

function ApiFields({ api, apps, groups, errors }: FieldsProps) {
  const words = useWords('adminApis')
  const { name, enterName } = useWords('adminApps')
  const locale = useLocale()
  const lifetime = api?.lifetime ?? '15m'
  return (
    <div className="space-y-5">
      <Field
        name="name"
        label={name}
        hint={words.nameHint}
        missing={enterName}
        defaultValue={api?.name}
        autoComplete="off"
        error={errors?.name}
      />
      {api === null && (
        <Field
          name="identifier"
          label={words.identifier}
          hint={words.identifierHint}
          missing={words.enterIdentifier}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          error={errors?.identifier}
        />
      )}
      <ScopeFields scopes={api?.scopes ?? {}} error={errors?.scopes} />
      <AppChecks apps={apps} chosen={api?.apps ?? []} error={errors?.apps} />
      <GroupChecks groups={groups} chosen={api?.groups ?? []} error={errors?.groups} />
      <Select
        name="lifetime"
        label={words.lifetime}
        hint={words.lifetimeHint}
        defaultValue={lifetime}
        error={errors?.lifetime}
      >
        {[...new Set([...lifetimes, lifetime])]
          .sort((one, other) => secondsOf(one) - secondsOf(other))
          .map((one) => (
            <option key={one} value={one}>
              {duration(locale, secondsOf(one))}
            </option>
          ))}
      </Select>
    </div>
  )
}

/** A row for each scope. What is typed stays in the fields: the state is only which rows there are, and what they began with. */
function ScopeFields({ scopes, error }: { scopes: RegisteredApi['scopes']; error: string | undefined }) {
  const words = useWords('adminApis')
  const fill = useFill()
  const list = useRef<HTMLUListElement>(null)
  const { focusAfterUpdate } = usePageFeedback()
  const [rows, setRows] = useState(() => {
    const given = Object.entries(scopes)
    return (given.length > 0 ? given : [['', '']]).map(([name, sentence], key) => ({ key, name, sentence }))
  })
  const focusLast = () => focusAfterUpdate(() => list.current?.querySelector('li:last-child input'))
  function add() {
    setRows([...rows, { key: Math.max(...rows.map(({ key }) => key)) + 1, name: '', sentence: '' }])
    focusLast()
  }
  function remove(key: number) {
    setRows(rows.filter((row) => row.key !== key))
    focusLast()
  }
  return (
    <Checks legend={words.scopes} hint={words.scopesHint} error={error}>
      <ul
        ref={list}
        data-changed={Object.keys(scopes).some((given) => rows.every(({ name }) => name !== given)) || undefined}
        className="@container mt-3 space-y-4"
      >
        {rows.map(({ key, name, sentence }, index) => (
          <li
            key={key}
            className="grid grid-cols-[1fr_auto] items-end gap-2.5 @max-lg:border-s-2 @max-lg:border-line @max-lg:ps-3.5 @lg:grid-cols-[1fr_2fr_auto]"
          >
            <div className="@max-lg:col-span-full">
              <Frame label={words.scope}>
                {({ id }) => (
                  <div className="field">
                    <input
                      id={id}
                      name="scopes"
                      defaultValue={name}
                      aria-invalid={error ? true : undefined}
                      dir="ltr"
                      autoComplete="off"
                      autoCapitalize="none"
                      spellCheck={false}
                    />
                  </div>
                )}
              </Frame>
            </div>
            <div className="last:col-span-2">
              <Field name="sentences" label={words.sentence} defaultValue={sentence} dir="auto" autoComplete="off" />
            </div>
            {rows.length > 1 && (
              <Button
                look="plain"
                aria-label={fill(words.removeScope, { number: index + 1 })}
                onClick={() => remove(key)}
              >
                <BinIcon />
              </Button>
            )}
          </li>
        ))}
      </ul>
      <span className="outdent mt-1 inline-flex">
        <Button look="quiet" onClick={add}>
          {words.addScope}
        </Button>
      </span>
    </Checks>
  )
}

/** Which apps may ask for tokens of the API. */
function AppChecks({
  apps,
  chosen,
  error,
}: {
  apps: NamedApp[]
  chosen: RegisteredApi['apps']
  error: string | undefined
}) {
  const words = useWords('adminApis')
  const [isAny, setAny] = useState(chosen === 'any')
  const ticked = chosen === 'any' ? [] : chosen
  return (
    <Checks legend={words.apps} hint={words.appsHint} error={error}>
      <Check
        name="anyApp"
        checked={isAny}
        onChange={({ target }) => setAny(target.checked)}
        label={words.anyApp}
        hint={words.anyAppHint}
      />
      {!isAny &&
        apps.map(({ id, name }) => (
          <Check
            key={id}
            name="apps"
            value={id}
            defaultChecked={ticked.includes(id)}
            label={<bdi translate="no">{name}</bdi>}
          />
        ))}
      {!isAny && apps.length === 0 && (
        <p className="text-small text-muted">
          {words.noApps} <TextLink href="/admin/apps?add">{words.addApp}</TextLink>
        </p>
      )}
    </Checks>
  )
}

/** Registers an API, and leads to its page. */
export function NewApi({ apps, groups }: Choices) {
  const words = useWords('adminApis')
  const form = useRef<HTMLFormElement>(null)
  const { action, submit } = useApiForm(form, (action, data) => {
    const body = { identifier: textOf(data, 'identifier').trim(), ...readApiFields(data) }
    action.call('add', '/api/admin/apis/add', body, { title: words.addFailed, fields: apiFields }, ({ api }) =>
      navigate(pageOf(api.identifier)),
    )
  })
  return (
    <>
      <h1 className="text-display font-semibold">{words.add}</h1>
      <p className="mt-2 mb-6 max-w-prose text-lead text-muted">{words.addLead}</p>
      <Form action={action} ref={form} onSubmit={submit} className="max-w-xl space-y-5">
        <ActionMessages action={action} />
        <UnsavedQuestion form={form} action={action} />
        <ApiFields api={null} apps={apps} groups={groups} errors={action.failure?.fields} />
        <FormEnd label={words.add} action={action} list="/admin/apis" />
      </Form>
    </>
  )
}

interface ApiProps {
  api: RegisteredApi
}

export function ChangeApi({ api, apps, groups }: ApiProps & Choices) {
  const { changed, changeFailed, saveChanges } = useWords('adminApps')
  const form = useRef<HTMLFormElement>(null)
  const { opened, change } = useSettingsChange(form, api)
  const { action, submit } = useApiForm(form, (action, data) => {
    const reference = { api: api.identifier }
    const settings = {
      given: readApiFields(data),
      read: async () => (await postAsOperator('/api/admin/apis/show', reference)).api,
      write: (changes: object) => postAsOperator('/api/admin/apis/change', { ...reference, ...changes }),
      title: changeFailed,
      fields: apiFields,
    }
    change(action, settings, () => {
      refresh()
      return changed
    })
  })
  const refresh = useRefresh(form)
  return (
    <Form action={action} ref={form} tabIndex={-1} onSubmit={submit} className="space-y-5 outline-none">
      <ActionMessages action={action} />
      <UnsavedQuestion form={form} action={action} />
      {/* Anew once the API has changed, with what the server now has. */}
      <ApiFields
        key={JSON.stringify(opened)}
        api={opened}
        apps={apps}
        groups={groups}
        errors={action.failure?.fields}
      />
      <SaveBar label={saveChanges} action={action} />
    </Form>
  )
}

/** What an app sends to get a token, and what the API compares in it. */
export function ApiValues({ api, issuer }: ApiProps & { issuer: string }) {
  const words = useWords('adminApis')
  const scopes = Object.keys(api.scopes).join(' ')
  return (
    <div className="space-y-4">
      {api.apps !== 'any' && api.apps.length === 0 && <Callout>{words.noAppYet}</Callout>}
      <h3 className="font-semibold">{words.send}</h3>
      <CopyField label="resource" value={api.identifier} hint={words.resourceHint} />
      {scopes !== '' && <CopyField label="scope" value={scopes} hint={words.scopeHint} />}
      <h3 className="border-t border-line pt-4 font-semibold">{words.compare}</h3>
      <CopyField label="iss" value={issuer} />
      <CopyField label="aud" value={api.identifier} hint={words.audienceHint} />
      <CopyField label={words.keys} value={`${issuer}/.well-known/jwks.json`} />
    </div>
  )
}

/** Deletes the API, after saying what goes with it. */
export function DeleteApi({ api }: ApiProps) {
  const words = useWords('adminApis')
  const fill = useFill()
  return (
    <Deletion
      title={words.deleteApi}
      about={fill(words.deleteAbout, { api: api.name })}
      label={words.deleteThis}
      question={fill(words.deleteQuestion, { api: api.name })}
      text={fill(words.deleteText, { api: api.name })}
      path="/api/admin/apis/delete"
      body={{ api: api.identifier }}
      failed={words.deleteFailed}
      list="/admin/apis"
    />
  )
}
