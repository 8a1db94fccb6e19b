'use client'

import { type ReactNode, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action'
import { Confirmed, FormEnd, useAdminAction } from '@/components/admin/actions'
import { operatorName, RowList } from '@/components/admin/lists'
import { Row } from '@/components/ui/card'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Check, Checks, Select } from '@/components/ui/forms/controls'
import { Field, Form, submitWhenFilled, textOf, textsOf } from '@/components/ui/forms/form'
import { CopyField, QrButton, QrCode, ShareButton, ShownOnce } from '@/components/ui/hand-over'
import { CopyButton } from '@/components/ui/keep'
import { navigate } from '@/components/ui/navigation'
import { useChangedTitle } from '@/components/ui/page/title-and-url'
import { Day } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { PostResult } from '@/lib/api/endpoints'
import type { ListedInvitation } from '@/lib/api/schemas'
import { listed } from '@/lib/messages/format/text'

type Link = PostResult<'/api/admin/invitations/add'>['invitations'][number]

interface Made {
  links: Link[]
  note: string
  /** Where the link goes, too; empty without */
  email: string
}

/** Makes links, and shows them this once: only a digest of each is kept. @param children stands above the form */
export function InvitePeople({ groups, children }: { groups: readonly string[]; children: ReactNode }) {
  const words = useWords('invitations')
  const { site } = useAccountContext()
  const [made, setMade] = useState<Made | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { focusAfterUpdate } = usePageFeedback()
  const madeTitle = made?.links.length === 1 ? words.madeOne : words.madeSeveral
  const title = made ? madeTitle : words.invite
  useChangedTitle(title, site.appName)
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="text-display font-semibold outline-none">
        {title}
      </h1>
      {made ? (
        <div className="mt-2 max-w-2xl">
          <MadeLinks made={made} onKept={() => navigate('/admin/invitations')} />
        </div>
      ) : (
        <>
          <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
          {children}
          <InvitationForm
            groups={groups}
            onMade={(made) => {
              setMade(made)
              focusAfterUpdate(() => heading.current)
            }}
          />
        </>
      )}
    </>
  )
}

const lifetimes = ['1d', '7d', '30d', '90d'] as const
/** The most links that the form makes at once, as people copy them one by one. The command makes more. */
const most = 50

interface InvitationFormProps {
  groups: readonly string[]
  onMade: (made: Made) => void
}

function InvitationForm({ groups, onMade }: InvitationFormProps) {
  const words = useWords('invitations')
  const { site } = useAccountContext()
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const errors = action.failure?.fields
  const names = { '1d': words.day, '7d': words.week, '30d': words.month, '90d': words.quarter }
  const submit = submitWhenFilled(action, (data) => {
    const note = textOf(data, 'note').trim()
    const email = textOf(data, 'email').trim()
    const count = Number(textOf(data, 'count'))
    if (!Number.isInteger(count) || count < 1 || count > most) {
      action.setFieldErrors({ count: fill(words.countFault, { most }) })
      return
    }
    const body = {
      count,
      expires: textOf(data, 'expires'),
      groups: textsOf(data, 'groups'),
      ...(note && { note }),
      ...(email && { email }),
    }
    const wording = { title: words.failed, fields: ['count', 'note', 'email', 'groups', 'expires'] }
    action.call('invite', '/api/admin/invitations/add', body, wording, ({ invitations }) => {
      onMade({ links: invitations, note, email })
      return count === 1 ? words.made : words.madeAll
    })
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="mt-6 max-w-xl space-y-5">
      <ActionMessages action={action} />
      <Field name="note" label={words.note} hint={words.noteHint} autoComplete="off" error={errors?.note} />
      {site.mail && (
        <Field
          name="email"
          type="email"
          inputMode="email"
          label={words.email}
          hint={words.emailHint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          error={errors?.email}
        />
      )}
      <Field
        name="count"
        type="number"
        inputMode="numeric"
        min={1}
        max={most}
        defaultValue={1}
        label={words.count}
        hint={words.countHint}
        missing={fill(words.countFault, { most })}
        error={errors?.count}
      />
      {groups.length > 0 && (
        <Checks legend={words.groups} hint={words.groupsHint} error={errors?.groups}>
          {groups.map((group) => (
            <Check key={group} name="groups" value={group} label={<bdi translate="no">{group}</bdi>} />
          ))}
        </Checks>
      )}
      <Select name="expires" label={words.expires} defaultValue="7d" error={errors?.expires}>
        {lifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {names[lifetime]}
          </option>
        ))}
      </Select>
      <FormEnd label={words.make} action={action} list="/admin/invitations" />
    </Form>
  )
}

function MadeLinks({ made: { links, note, email }, onKept }: { made: Made; onKept: () => void }) {
  const words = useWords('invitations')
  const fill = useFill()
  const [first] = links
  if (!first) return null
  const name = note || words.link
  const nameOf = (index: number) => (links.length === 1 ? name : `${name} ${index + 1}`)
  return (
    <ShownOnce onKept={onKept}>
      {(onCopied) => (
        <>
          <p className="mt-1 mb-5 text-muted">
            <Filled
              message={links.length === 1 ? words.madeOneText : words.madeText}
              values={{ date: <Day at={first.expiresAt} /> }}
            />
            {email !== '' && ` ${fill(words.emailed, { address: email })}`}
          </p>
          {links.length === 1 ? (
            <div className="space-y-4">
              <CopyField label={nameOf(0)} value={first.url} onCopied={onCopied} isShort />
              <div className="flex flex-wrap gap-2.5">
                <ShareButton title={words.shareTitle} url={first.url} />
              </div>
              <QrCode text={first.url} what={nameOf(0)} />
            </div>
          ) : (
            <>
              <CopyButton text={links.map(({ url }) => url).join('\n')} label={words.copyAll} onCopied={onCopied} />
              <ol className="mt-4 space-y-4">
                {links.map(({ id, url }, index) => (
                  <li key={id}>
                    <CopyField label={nameOf(index)} value={url} isShort />
                    <div className="mt-2 flex flex-wrap gap-2.5">
                      <QrButton text={url} what={nameOf(index)} />
                      <ShareButton title={words.shareTitle} url={url} />
                    </div>
                  </li>
                ))}
              </ol>
            </>
          )}
        </>
      )}
    </ShownOnce>
  )
}

interface ListProps {
  invitations: ListedInvitation[]
  /** The names of those who made them, by account id */
  usernames: Record<string, string>
}

/** Those that nobody has used yet. */
export function WaitingInvitations({ invitations, usernames }: ListProps) {
  const words = useWords('invitations')
  return (
    <RowList
      place="invitations"
      empty={{ title: words.none, text: words.noneText }}
      rows={invitations.map((invitation) => (
        <li key={invitation.id} className="py-3">
          <Row
            controls={
              <Confirmed
                look="plain"
                label={words.withdraw}
                fullLabel={`${words.withdraw}: ${invitation.note ?? words.withoutNote}`}
                question={words.withdrawQuestion}
                text={invitation.note === null ? words.withdrawText : `${invitation.note}: ${words.withdrawText}`}
                path="/api/admin/invitations/withdraw"
                body={{ id: invitation.id }}
                failed={words.withdrawFailed}
                done={words.withdrawn}
              />
            }
          >
            <Facts invitation={invitation} usernames={usernames} />
          </Row>
        </li>
      ))}
    />
  )
}

function Facts({ invitation, usernames }: { invitation: ListedInvitation; usernames: ListProps['usernames'] }) {
  const words = useWords('invitations')
  const fill = useFill()
  const locale = useLocale()
  const { note, groups, createdAt, expiresAt, by } = invitation
  const maker = by === null ? null : operatorName(usernames, by)
  return (
    <>
      <p className={note === null ? 'text-muted' : 'font-medium'}>
        {note === null ? words.withoutNote : <bdi>{note}</bdi>}
      </p>
      <p className="text-small text-muted">
        <Filled message={words.until} values={{ date: <Day at={expiresAt} /> }} />
        {groups.length > 0 && ` · ${fill(words.joins, { groups: listed(locale, groups) })}`}
      </p>
      <p className="text-small text-muted">
        {maker === null ? (
          <Filled message={words.madeOn} values={{ date: <Day at={createdAt} /> }} />
        ) : (
          <Filled message={words.madeBy} values={{ date: <Day at={createdAt} />, who: maker }} />
        )}
      </p>
    </>
  )
}
