'use client'

import { useRef, useState } from 'react'
import { ActionMessages, useRefresh } from '@/components/account/action'
import { FormButtons } from '@/components/account/setting'
import { Confirmed, useAdminAction } from '@/components/admin/actions'
import { operatorName, RowList } from '@/components/admin/lists'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Check, Checks, Select } from '@/components/ui/forms/controls'
import { Field, Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { CopyField, ShownOnce } from '@/components/ui/hand-over'
import { Day, Moment } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useGivenClock, useLocale, useWords } from '@/components/ui/words/words'
import type { PostResult } from '@/lib/api/endpoints'
import type { Area, OperatorKey } from '@/lib/api/schemas'
import { listed } from '@/lib/messages/format/text'

/** The areas of a key, those first that cost the least if it is stolen. */
const areas: readonly Area[] = ['deliveries', 'invitations', 'groups', 'accounts', 'identity', 'apps', 'trust']

const lifetimes = ['1d', '30d', '90d', '366d', 'never'] as const

/** Makes a key, and shows it this once: only a digest is kept. */
export function NewKey() {
  const words = useWords('keys')
  const fill = useFill()
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<PostResult<'/api/admin/keys/add'> | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const refresh = useRefresh(heading)
  const { focusAfterUpdate } = usePageFeedback()
  if (made)
    return (
      <section aria-labelledby="made" className="mt-6 max-w-2xl">
        <h2 id="made" ref={heading} tabIndex={-1} className="mb-4 text-title font-semibold outline-none">
          {fill(words.madeTitle, { name: made.key.name })}
        </h2>
        <ShownOnce onKept={() => setMade(null)}>
          {(onCopied) => <CopyField label={words.key} value={made.secret} hint={words.useHint} onCopied={onCopied} />}
        </ShownOnce>
      </section>
    )
  if (!isOpen)
    return (
      <div className="mt-6">
        <Button ref={opener} onClick={() => setOpen(true)}>
          {words.add}
        </Button>
      </div>
    )
  return (
    <KeyForm
      onCancel={() => {
        setOpen(false)
        focusAfterUpdate(() => opener.current)
      }}
      onMade={(answer) => {
        setMade(answer)
        setOpen(false)
        refresh()
      }}
    />
  )
}

function KeyForm({
  onCancel,
  onMade,
}: {
  onCancel: () => void
  onMade: (answer: PostResult<'/api/admin/keys/add'>) => void
}) {
  const words = useWords('keys')
  const { once } = useWords('handOver')
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const errors = action.failure?.fields
  const pending = action.pending !== null
  const names = {
    '1d': words.day,
    '30d': words.month,
    '90d': words.quarter,
    '366d': words.year,
    never: words.never,
  }
  const submit = submitWhenFilled(action, (data) => {
    const chosen = data.getAll('areas') as Area[]
    if (chosen.length === 0) {
      action.setFieldErrors({ areas: words.noArea })
      return
    }
    const body = {
      name: textOf(data, 'name').trim(),
      areas: chosen,
      readOnly: data.has('readOnly'),
      expires: textOf(data, 'expires'),
    }
    const wording = { title: words.failed, fields: ['name', 'areas', 'expires'] }
    action.call('add', '/api/admin/keys/add', body, wording, (answer) => {
      onMade(answer)
      return { tone: 'info', text: once }
    })
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="mt-6 max-w-xl space-y-5">
      <ActionMessages action={action} />
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        missing={words.enterName}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        error={errors?.name}
      />
      <Checks legend={words.areas} hint={words.areasHint} error={errors?.areas}>
        {areas.map((area) => (
          <Check
            key={area}
            name="areas"
            value={area}
            aria-invalid={errors?.areas ? true : undefined}
            label={words.areaNames[area]}
            hint={
              <>
                {words.areaDoes[area]} <span className="block">{words.areaCosts[area]}</span>
              </>
            }
          />
        ))}
      </Checks>
      <Check name="readOnly" label={words.readOnly} hint={words.readOnlyHint} />
      <Select name="expires" label={words.expires} defaultValue="90d" error={errors?.expires}>
        {lifetimes.map((lifetime) => (
          <option key={lifetime} value={lifetime}>
            {names[lifetime]}
          </option>
        ))}
      </Select>
      <FormButtons label={words.make} pending={pending} onCancel={onCancel} />
    </Form>
  )
}

interface ListProps {
  keys: OperatorKey[]
  /** The names of those who made them, by account id */
  usernames: Record<string, string>
}

export function KeyList({ keys, usernames }: ListProps) {
  const words = useWords('keys')
  const fill = useFill()
  return (
    <RowList
      place="keys"
      empty={{ title: words.none, text: words.noneText }}
      rows={keys.map((key) => (
        <li key={key.name} className="py-3">
          <Row
            controls={
              <Confirmed
                look="plain"
                label={words.delete}
                fullLabel={`${words.delete}: ${key.name}`}
                question={fill(words.deleteQuestion, { name: key.name })}
                text={words.deleteText}
                path="/api/admin/keys/delete"
                body={{ name: key.name }}
                failed={words.deleteFailed}
                done={fill(words.deleted, { name: key.name })}
              />
            }
          >
            <Facts operatorKey={key} usernames={usernames} />
          </Row>
        </li>
      ))}
    />
  )
}

function Facts({ operatorKey, usernames }: { operatorKey: OperatorKey; usernames: ListProps['usernames'] }) {
  const words = useWords('keys')
  const locale = useLocale()
  const { now } = useGivenClock()
  const { name, areas: its, readOnly, expiresAt, lastUsedAt, by } = operatorKey
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= now
  const names = areas.filter((area) => its.includes(area)).map((area) => words.areaNames[area])
  return (
    <>
      <p className="font-medium">
        <bdi translate="no">{name}</bdi>
        {readOnly && <Badge>{words.readOnlyBadge}</Badge>}
        {hasEnded && <Badge>{words.ended}</Badge>}
      </p>
      <p className="text-small text-muted">{listed(locale, names)}</p>
      <p className="text-small text-muted">
        {expiresAt === null ? (
          words.neverEnds
        ) : (
          <Filled message={hasEnded ? words.endedOn : words.endsOn} values={{ date: <Day at={expiresAt} /> }} />
        )}
        {' · '}
        {by === null ? words.byCommand : <Filled message={words.by} values={{ who: operatorName(usernames, by) }} />}
      </p>
      <p className="text-small text-muted">
        {lastUsedAt === null ? (
          words.unused
        ) : (
          <Filled message={words.lastUsed} values={{ when: <Moment at={lastUsedAt} /> }} />
        )}
      </p>
    </>
  )
}
