'use client'

import { type RefObject, useRef, useState } from 'react'
import { ActionButton, ActionMessages, useRefresh } from '@/components/account/action'
import { type AdminAction, Confirmed, Deletion, useAdminAction } from '@/components/admin/actions'
import { AccountQuery, obstacleOf, Person } from '@/components/admin/lists'
import { Button } from '@/components/ui/button'
import { Card, Row } from '@/components/ui/card'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Field, Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import { administrators } from '@/lib/api/names'
import type { ListedAccount } from '@/lib/api/schemas'
import { listed } from '@/lib/messages/format/text'

/** Makes a group, or opens the one that has the name already. */
export function NewGroup() {
  const words = useWords('adminGroups')
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const submit = submitWhenFilled(action, (data) => {
    const group = textOf(data, 'group').trim()
    const wording = { title: words.makeFailed, fields: ['group'] }
    action.call('make', '/api/admin/groups/add', { group }, wording, () => navigate(`/admin/groups/${group}`))
  })
  return (
    <Form ref={form} action={action} onSubmit={submit} className="mt-6 max-w-md">
      <ActionMessages action={action} />
      <div className="flex flex-wrap items-start gap-2.5">
        <div className="min-w-0 grow basis-52">
          <Field
            name="group"
            label={words.newGroup}
            hint={words.nameHint}
            missing={words.enterName}
            error={action.failure?.fields.group}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
        {/* Level with the field, whose label stands above it. */}
        <Button type="submit" className="mt-7 min-h-11.5" pending={action.pending !== null}>
          {words.make}
        </Button>
      </div>
    </Form>
  )
}

/** The most people that a search shows. With more matches, the operator types more letters. */
const shownAtMost = 8

/** Finds people, and adds them one by one. */
export function AddMembers({ group, memberIds }: { group: string; memberIds: string[] }) {
  const words = useWords('adminGroups')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const results = useRef<HTMLUListElement>(null)
  const action = useAdminAction(form)
  const { focusAfterUpdate } = usePageFeedback()
  const [found, setFound] = useState<{ accounts: ListedAccount[]; more: boolean } | null>(null)
  /** The ids of those found who have become members since */
  const [added, setAdded] = useState<string[]>([])
  const submit = submitWhenFilled(action, (data) => {
    const body = { query: textOf(data, 'query').trim(), limit: shownAtMost }
    const wording = { title: words.findFailed, fields: ['query'] }
    action.call('find', '/api/admin/accounts', body, wording, ({ accounts, after }) => {
      setFound({ accounts, more: after !== null })
      setAdded([])
      if (accounts.length === 0) return { tone: 'info', text: words.nobody }
      focusAfterUpdate(() => results.current)
      return { tone: 'info', text: fill(words.found, { count: accounts.length }) }
    })
  })
  /** Why somebody is not offered; null for those who are. */
  function remarkOn(account: ListedAccount): string | null {
    if ([...memberIds, ...added].includes(account.id) || account.groups.includes(group)) return words.isMember
    const obstacle = group === administrators ? obstacleOf(account) : null
    return obstacle && { disabled: words.isDisabled, passkey: words.needsPasskey }[obstacle]
  }
  return (
    <Card title={words.addTitle} titleId="add">
      <div className="px-card py-4">
        <Form ref={form} action={action} onSubmit={submit} tabIndex={-1} className="outline-none">
          <ActionMessages action={action} />
          <div className="flex flex-wrap items-start gap-2.5">
            <div className="min-w-0 grow basis-40">
              <AccountQuery label={words.search} missing={words.enterQuery} error={action.failure?.fields.query} />
            </div>
            <Button type="submit" look="secondary" className="mt-7 min-h-11.5" pending={action.pending === 'find'}>
              {words.find}
            </Button>
          </div>
        </Form>
        {found && found.accounts.length > 0 && (
          <ul
            ref={results}
            tabIndex={-1}
            aria-label={words.addTitle}
            className="mt-3 divide-y divide-line outline-none"
          >
            {found.accounts.map((account) => (
              <li key={account.id} className="py-2">
                <Row
                  controls={
                    remarkOn(account) !== null ? (
                      <span className="px-4 py-2.5 text-small text-muted">{remarkOn(account)}</span>
                    ) : (
                      <AddMember
                        group={group}
                        account={account}
                        action={action}
                        form={form}
                        onAdded={() => setAdded((now) => [...now, account.id])}
                      />
                    )
                  }
                >
                  <Person username={account.username} displayName={account.displayName} />
                </Row>
              </li>
            ))}
          </ul>
        )}
        {found?.more && <p className="mt-2 text-small text-muted">{words.more}</p>}
      </div>
    </Card>
  )
}

interface AddMemberProps {
  group: string
  account: ListedAccount
  /** The search's, so that one thing runs at a time */
  action: AdminAction
  /** The search, which gets the focus, since the button goes away */
  form: RefObject<HTMLFormElement | null>
  onAdded: () => void
}

/** The button that adds one person. It asks before it makes an administrator. */
function AddMember({ group, account: { id, username }, action, form, onAdded }: AddMemberProps) {
  const words = useWords('adminGroups')
  const fill = useFill()
  const refresh = useRefresh(form)
  const body = { group, accounts: [id] }
  const fullLabel = fill(words.addOne, { username })
  const done = fill(words.added, { username })
  if (group === administrators)
    return (
      <Confirmed
        label={words.add}
        fullLabel={fullLabel}
        question={fill(words.addAdminQuestion, { username })}
        text={words.addAdminText}
        path="/api/admin/groups/add"
        body={body}
        failed={words.addFailed}
        place="member-list"
        done={done}
        onDone={onAdded}
      />
    )
  const add = () =>
    action.call(id, '/api/admin/groups/add', body, { title: words.addFailed }, () => {
      onAdded()
      refresh()
      return done
    })
  return (
    <ActionButton action={action} name={id} look="quiet" aria-label={fullLabel} onClick={add}>
      {words.add}
    </ActionButton>
  )
}

interface RemoveMemberProps {
  group: string
  id: string
  username: string
  isOwn: boolean
}

export function RemoveMember({ group, id, username, isOwn }: RemoveMemberProps) {
  const words = useWords('adminGroups')
  const { remove } = useWords('account')
  const fill = useFill()
  // Whoever leaves the administrators has no more pages here.
  const losesPages = isOwn && group === administrators
  return (
    <Confirmed
      label={remove}
      fullLabel={fill(words.removeMember, { username })}
      question={fill(words.removeQuestion, { username, group })}
      text={group === administrators ? words.removeAdminText : words.removeText}
      path="/api/admin/groups/remove"
      body={{ group, accounts: [id] }}
      failed={words.removeFailed}
      {...(!losesPages && { done: fill(words.removed, { username }) })}
      onDone={() => losesPages && navigate('/profile')}
    />
  )
}

/** @param apps the names of those that ask for the group */
export function DeleteGroup({ group, apps }: { group: string; apps: string[] }) {
  const words = useWords('adminGroups')
  const fill = useFill()
  const locale = useLocale()
  return (
    <Deletion
      title={words.deleteTitle}
      about={words.deleteAbout}
      label={words.delete}
      question={fill(words.deleteQuestion, { group })}
      text={apps.length === 0 ? words.deleteText : fill(words.deleteTextApps, { apps: listed(locale, apps) })}
      path="/api/admin/groups/delete"
      body={{ group }}
      failed={words.deleteFailed}
      list="/admin/groups"
    />
  )
}
