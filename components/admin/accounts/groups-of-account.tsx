'use client'

import { type RefObject, useRef } from 'react'
import { useRefresh } from '@/components/account/action'
import { Confirmed, useAdminAction } from '@/components/admin/actions'
import { Button } from '@/components/ui/button'
import { Card, Row } from '@/components/ui/card'
import { Messages } from '@/components/ui/feedback/page-feedback'
import { Select } from '@/components/ui/forms/controls'
import { Form, textOf } from '@/components/ui/forms/form'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { administrators } from '@/lib/api/names'
import type { ShownAccount } from '@/lib/api/schemas'

interface Props {
  shown: ShownAccount
  groups: readonly string[]
  isOwn: boolean
}

const place = 'group-list'

export function GroupsOfAccount({ shown, groups, isOwn }: Props) {
  const words = useWords('adminAccounts')
  const { remove } = useWords('account')
  const fill = useFill()
  const { id, username } = shown
  const others = groups.filter((group) => !shown.groups.includes(group))
  const list = useRef<HTMLDivElement>(null)
  return (
    <Card title={words.groups} titleId="groups">
      <div ref={list} id={place} tabIndex={-1} className="outline-none">
        <Messages place={place} className="not-empty:px-card not-empty:pt-4" />
        {shown.groups.length === 0 && <p className="px-card py-3.5 text-muted">{words.noGroups}</p>}
        <ul className="divide-y divide-line px-card">
          {shown.groups.map((group) => (
            <li key={group} className="py-2">
              <Row
                controls={
                  <Confirmed
                    label={remove}
                    fullLabel={fill(words.removeFromGroup, { group })}
                    question={fill(words.leaveQuestion, { username, group })}
                    text={group === administrators ? words.leaveAdminsText : words.leaveText}
                    confirm={remove}
                    path="/api/admin/groups/remove"
                    body={{ group, accounts: [id] }}
                    failed={words.leaveFailed}
                    place={place}
                    // Whoever leaves the administrators has no more pages here.
                    {...(!(isOwn && group === administrators) && { done: fill(words.left, { username, group }) })}
                    onDone={() => isOwn && group === administrators && navigate('/profile')}
                  />
                }
              >
                <a href={`/admin/groups/${group}`} className="font-medium break-all hover:underline">
                  <bdi translate="no">{group}</bdi>
                </a>
              </Row>
            </li>
          ))}
        </ul>
        {others.length > 0 && <AddToGroup shown={shown} groups={others} list={list} />}
      </div>
    </Card>
  )
}

/** Goes away with the last group, so messages and focus are at the list. */
function AddToGroup({
  shown,
  groups,
  list,
}: Pick<Props, 'shown' | 'groups'> & { list: RefObject<HTMLElement | null> }) {
  const words = useWords('adminAccounts')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form, { place })
  const refresh = useRefresh(list)
  const { id, username } = shown
  // Joining them ends sessions, so it is asked for.
  const free = groups.filter((group) => group !== administrators)
  function add(data: FormData) {
    const group = textOf(data, 'group')
    action.call('add', '/api/admin/groups/add', { group, accounts: [id] }, { title: words.joinFailed }, () => {
      refresh()
      return fill(words.joined, { username, group })
    })
  }
  return (
    <div className="space-y-3 px-card py-4 not-first:border-t border-line">
      {free.length > 0 && (
        <Form
          ref={form}
          action={action}
          tabIndex={-1}
          className="outline-none"
          onSubmit={(event) => {
            event.preventDefault()
            add(new FormData(event.currentTarget))
          }}
        >
          <div className="flex flex-wrap items-end gap-2.5">
            <div className="min-w-0 grow basis-32">
              <Select name="group" label={words.addToGroup}>
                {free.map((group) => (
                  <option key={group} value={group}>
                    {group}
                  </option>
                ))}
              </Select>
            </div>
            <Button type="submit" look="secondary" pending={action.pending !== null}>
              {words.add}
            </Button>
          </div>
        </Form>
      )}
      {groups.includes(administrators) && (
        <span className="outdent inline-flex">
          <Confirmed
            label={words.makeAdministrator}
            question={fill(words.joinAdminsQuestion, { username })}
            text={words.joinAdminsText}
            confirm={words.makeAdministrator}
            path="/api/admin/groups/add"
            body={{ group: administrators, accounts: [id] }}
            failed={words.joinFailed}
            place={place}
            done={fill(words.joined, { username, group: administrators })}
          />
        </span>
      )}
    </div>
  )
}
