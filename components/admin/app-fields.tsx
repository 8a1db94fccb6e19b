'use client'

import { useState } from 'react'
import { Check, Checks, Disclosure, Select, TextArea } from '@/components/ui/forms/controls'
import { Field, Frame, textOf, textsOf } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'
import type { PostBody } from '@/lib/api/endpoints'
import type { RegisteredApp } from '@/lib/api/schemas'

type NewApp = PostBody<'/api/admin/apps/add'>

/** The fields of the endpoints that these fields show the faults of. */
export const appFields = [
  'name',
  'redirectUris',
  'homeUrl',
  'icon',
  'signOutUris',
  'backChannelUri',
  'groups',
  'pkce',
  'device',
  'id',
  'app',
]

const linesOf = (data: FormData, name: string) =>
  textOf(data, name)
    .split(/\s*\n\s*/)
    .filter(Boolean)

/** What the fields say, as the endpoint takes it. */
export function readAppFields(data: FormData): Omit<NewApp, 'id'> {
  const isPublic = data.has('public')
  return {
    name: textOf(data, 'name').trim(),
    redirectUris: linesOf(data, 'redirectUris'),
    homeUrl: textOf(data, 'homeUrl').trim() || null,
    // An unchanged one is not sent: pages know only its address.
    ...(textOf(data, 'icon') !== '' && { icon: textOf(data, 'icon') }),
    ...(data.has('noIcon') && { icon: null }),
    signOutUris: linesOf(data, 'signOutUris'),
    backChannelUri: textOf(data, 'backChannelUri').trim() || null,
    groups: textsOf(data, 'groups'),
    public: isPublic,
    // A public app always needs it, and a machine never.
    ...(!isPublic && data.has('pkce') && { pkce: textOf(data, 'pkce') as NonNullable<NewApp['pkce']> }),
    trusted: data.has('trusted'),
    requirePasskey: data.has('requirePasskey'),
    device: data.has('device'),
  }
}

/** What signs nobody in by a redirect: a program that acts for itself, and one that shows a code. */
export type AppKind = 'machine' | 'device'

interface Props {
  /** Null for a new one */
  app: RegisteredApp | null
  /** The kind of a new app */
  kind?: AppKind | undefined
  groups: readonly string[]
  errors: Record<string, string> | undefined
}

/** The fields of an app. Each says what manuals of apps call it. */
export function AppFields({ app, kind, groups, errors }: Props) {
  const words = useWords('adminApps')
  const isMachine = app?.machine ?? kind === 'machine'
  return (
    <div className="space-y-5">
      <Field
        name="name"
        label={words.name}
        hint={isMachine ? undefined : words.nameHint}
        missing={words.enterName}
        defaultValue={app?.name}
        autoComplete="off"
        error={errors?.name}
      />
      {!isMachine && <PeopleFields app={app} kind={kind} groups={groups} errors={errors} />}
      {isMachine && app && <p className="text-small text-muted">{words.machineText}</p>}
      {isMachine && !app && <ClientId error={errors?.id} />}
    </div>
  )
}

/** What is about the people who sign in to it: a machine has none of it. */
function PeopleFields({ app, kind, groups, errors }: Props) {
  const words = useWords('adminApps')
  const [isDevice, setDevice] = useState(app?.device ?? kind === 'device')
  return (
    <>
      <Lines
        name="redirectUris"
        label={words.redirectUris}
        hint={words.redirectUrisHint}
        missing={isDevice ? undefined : words.enterRedirectUri}
        lines={app?.redirectUris}
        error={errors?.redirectUris}
      />
      <GroupChecks groups={groups} chosen={app?.groups ?? []} error={errors?.groups} />
      <Check
        name="requirePasskey"
        defaultChecked={app?.requirePasskey}
        label={words.requirePasskey}
        hint={words.requirePasskeyHint}
      />
      <Field
        name="homeUrl"
        type="url"
        label={words.homeUrl}
        hint={words.homeUrlHint}
        defaultValue={app?.homeUrl ?? ''}
        dir="ltr"
        error={errors?.homeUrl}
      />
      <IconField icon={app?.icon ?? null} error={errors?.icon} />
      <Disclosure title={words.more} isOpen={kind !== undefined || hasMore(app) || hasOneOf(errors, more)}>
        <Lines
          name="signOutUris"
          label={words.signOutUris}
          hint={words.signOutUrisHint}
          lines={app?.signOutUris}
          error={errors?.signOutUris}
        />
        <Field
          name="backChannelUri"
          type="url"
          label={words.backChannelUri}
          hint={words.backChannelUriHint}
          defaultValue={app?.backChannelUri ?? ''}
          dir="ltr"
          error={errors?.backChannelUri}
        />
        <ClientKind app={app} kind={kind} error={errors?.pkce} />
        <Check
          name="device"
          checked={isDevice}
          onChange={({ target }) => setDevice(target.checked)}
          label={words.device}
          hint={words.deviceHint}
        />
        <Check name="trusted" defaultChecked={app?.trusted} label={words.trusted} hint={words.trustedHint} />
        {app === null && <ClientId error={errors?.id} />}
      </Disclosure>
    </>
  )
}

function ClientId({ error }: { error: string | undefined }) {
  const words = useWords('adminApps')
  return <Field name="id" label={words.clientId} hint={words.clientIdHint} autoComplete="off" dir="ltr" error={error} />
}

/** Reads the chosen file here, so that the form sends text alone, as the endpoint takes it. */
function IconField({ icon, error }: { icon: string | null; error: string | undefined }) {
  const words = useWords('adminApps')
  const [url, setUrl] = useState('')
  const [fileName, setFileName] = useState('')
  const picture = url || icon
  function read(file: File | undefined) {
    setUrl('')
    setFileName(file?.name ?? '')
    if (!file) return
    const reader = new FileReader()
    reader.onload = () => setUrl(String(reader.result))
    reader.readAsDataURL(file)
  }
  return (
    <div>
      <Frame label={words.icon} hint={words.iconHint} error={error}>
        {({ 'data-missing': _, ...ours }) => (
          // Relative, because a hidden field that stood elsewhere would scroll the page as it gets the focus.
          <div className="relative flex flex-wrap items-center gap-3">
            {picture && (
              // biome-ignore lint/performance/noImgElement: as on the profile.
              <img src={picture} alt="" width="44" height="44" className="size-11 rounded-control object-contain" />
            )}
            <input
              {...ours}
              type="file"
              accept="image/png,image/webp,image/jpeg"
              className="peer sr-only"
              onChange={({ target }) => read(target.files?.[0])}
            />
            {/* In place of the browser's own button, whose words and look are not the page's. */}
            <label
              htmlFor={ours.id}
              className="button button-secondary peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent peer-disabled:hidden"
            >
              {words.chooseIcon}
            </label>
            {fileName && (
              <bdi translate="no" className="min-w-0 text-small wrap-anywhere text-muted">
                {fileName}
              </bdi>
            )}
          </div>
        )}
      </Frame>
      <input type="hidden" name="icon" value={url} />
      {icon !== null && <Check name="noIcon" label={words.noIcon} />}
    </div>
  )
}

const more = ['signOutUris', 'backChannelUri', 'pkce', 'id']

const hasMore = (app: RegisteredApp | null) =>
  app !== null &&
  (app.signOutUris.length > 0 || app.backChannelUri !== null || app.pkce !== 'or_nonce' || app.device || app.trusted)

const hasOneOf = (errors: Record<string, string> | undefined, names: string[]) =>
  errors !== undefined && names.some((name) => name in errors)

function Lines({
  lines = [],
  ...field
}: {
  name: string
  label: string
  hint: string
  missing?: string | undefined
  lines: string[] | undefined
  error: string | undefined
}) {
  return (
    <TextArea
      {...field}
      dir="ltr"
      rows={Math.max(2, lines.length)}
      spellCheck={false}
      autoCapitalize="none"
      defaultValue={lines.join('\n')}
    />
  )
}

/** Whether the app has a secret, and what binds a code to it. */
function ClientKind({ app, kind, error }: Pick<Props, 'app' | 'kind'> & { error: string | undefined }) {
  const words = useWords('adminApps')
  const [isPublic, setPublic] = useState(app?.public ?? kind === 'device')
  return (
    <>
      <Check
        name="public"
        checked={isPublic}
        onChange={({ target }) => setPublic(target.checked)}
        label={words.public}
        hint={words.publicHint}
      />
      {!isPublic && (
        <Select
          name="pkce"
          label={words.pkce}
          hint={words.pkceHint}
          defaultValue={app?.public ? 'or_nonce' : (app?.pkce ?? 'or_nonce')}
          error={error}
        >
          <option value="or_nonce">{words.pkceOrNonce}</option>
          <option value="required">{words.pkceRequired}</option>
          <option value="off">{words.pkceOff}</option>
        </Select>
      )}
    </>
  )
}

/** Who may use the app, by group. */
export function GroupChecks({
  groups,
  chosen,
  error,
}: {
  groups: readonly string[]
  chosen: readonly string[]
  error?: string | undefined
}) {
  const words = useWords('adminApps')
  const all = [...new Set([...groups, ...chosen])].sort()
  if (all.length === 0) return <p className="text-small text-muted">{words.noGroups}</p>
  return (
    <Checks legend={words.groups} hint={words.groupsHint} error={error}>
      {all.map((group) => (
        <Check
          key={group}
          name="groups"
          value={group}
          defaultChecked={chosen.includes(group)}
          label={<bdi translate="no">{group}</bdi>}
        />
      ))}
    </Checks>
  )
}
