'use client'

import { type RefObject, useRef } from 'react'
import { useRefresh } from '@/components/account/action'
import { Confirmed, Place, useAdminAction } from '@/components/admin/actions'
import { obstacleOf } from '@/components/admin/lists'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card, Row } from '@/components/ui/card'
import { Select } from '@/components/ui/forms/controls'
import { Form, textOf } from '@/components/ui/forms/form'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { Moment } from '@/components/ui/words/day'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { newestFirst } from '@/lib/activity/events'
import { administrators } from '@/lib/api/names'
import type { ShownAccount } from '@/lib/api/schemas'
import { browserLabel } from '@/lib/messages/format/text'

interface SessionsProps {
  shown: ShownAccount
  isOwn: boolean
  /** The id of the operator's own session */
  here: string | undefined
}

/** Where the person is signed in. Operators end their own sessions on the profile. */
export function LiveSessions({ shown, isOwn, here }: SessionsProps) {
  const words = useWords('adminAccounts')
  const { signedIn, thisDevice } = useWords('sessions')
  const { methods, unknownBrowser } = useWords('activity')
  const fill = useFill()
  const { id, username } = shown
  const sessions = [...shown.sessions].sort(newestFirst)
  return (
    <Card title={words.sessions} titleId="sessions">
      <Place id="session-list">
        {sessions.length === 0 && <p className="px-card py-3.5 text-muted">{words.noSessions}</p>}
        <ul className="divide-y divide-line px-card">
          {sessions.map(({ id: session, browser, method, at }) => {
            const name = browser === null ? unknownBrowser : browserLabel(browser)
            return (
              <li key={session} className="py-3.5">
                <Row
                  controls={
                    !isOwn && (
                      <Confirmed
                        label={words.endSession}
                        fullLabel={fill(words.endThisSession, { browser: name })}
                        question={fill(words.endSessionQuestion, { browser: name })}
                        text={words.endSessionText}
                        path="/api/admin/accounts/end-session"
                        body={{ id, session }}
                        failed={words.endSessionFailed}
                        done={fill(words.sessionEnded, { browser: name })}
                      />
                    )
                  }
                >
                  <h3 className="font-medium">
                    <bdi>{name}</bdi>
                    {session === here && <Badge tone="accent">{thisDevice}</Badge>}
                  </h3>
                  <p className="text-small text-muted">
                    {fill(signedIn, { method: methods[method] })}&nbsp;· <Moment at={at} />
                  </p>
                </Row>
              </li>
            )
          })}
        </ul>
        {sessions.length > 0 && !isOwn && (
          <div className="border-t border-line px-card py-2">
            <span className="outdent inline-flex">
              <Confirmed
                label={words.signOut}
                question={fill(words.signOutQuestion, { username })}
                text={words.signOutText}
                path="/api/admin/accounts/sign-out"
                body={{ id }}
                failed={words.signOutFailed}
                done={fill(words.signedOut, { username })}
              />
            </span>
          </div>
        )}
      </Place>
    </Card>
  )
}

/** Closes the account, for a while or for good. */
export function Closing({ shown: { id, username, disabled } }: { shown: ShownAccount }) {
  const words = useWords('adminAccounts')
  const forms = useWords('forms')
  const fill = useFill()
  return (
    <Card title={words.closing} titleId="closing">
      <Place id="closing-list" className="px-card py-4" messages="not-empty:pb-4">
        <p className="text-muted">{disabled ? words.isDisabledText : words.disableAbout}</p>
        <div className="mt-3">
          {disabled ? (
            <Confirmed
              label={words.enable}
              look="secondary"
              question={fill(words.enableQuestion, { username })}
              text={words.enableText}
              path="/api/admin/accounts/enable"
              body={{ id }}
              failed={words.enableFailed}
              done={fill(words.enabledDone, { username })}
            />
          ) : (
            <Confirmed
              label={words.disable}
              look="secondary"
              question={fill(words.disableQuestion, { username })}
              text={words.disableText}
              path="/api/admin/accounts/disable"
              body={{ id }}
              failed={words.disableFailed}
              done={fill(words.disabledDone, { username })}
            />
          )}
        </div>
        <p className="mt-6 text-muted">{words.deleteAbout}</p>
        <span className="outdent mt-1 inline-flex">
          <Confirmed
            label={words.delete}
            look="quiet-danger"
            question={fill(words.deleteQuestion, { username })}
            text={words.deleteText}
            typed={{
              text: username,
              label: forms.username,
              instruction: fill(words.typeToDelete, { username }),
            }}
            path="/api/admin/accounts/delete"
            body={{ id }}
            failed={words.deleteFailed}
            onDone={() => navigate('/admin/accounts')}
          >
            <BinIcon />
          </Confirmed>
        </span>
      </Place>
    </Card>
  )
}

interface GroupsProps {
  shown: ShownAccount
  /** The names of all groups */
  groups: readonly string[]
  isOwn: boolean
}

const groupList = 'group-list'

export function GroupsOfAccount({ shown, groups, isOwn }: GroupsProps) {
  const words = useWords('adminAccounts')
  const { remove } = useWords('account')
  const fill = useFill()
  const { id, username } = shown
  const others = groups.filter((group) => !shown.groups.includes(group))
  const list = useRef<HTMLDivElement>(null)
  // Whoever leaves the administrators has no more pages here.
  const losesPages = (group: string) => isOwn && group === administrators
  return (
    <Card title={words.groups} titleId="groups">
      <Place ref={list} id={groupList}>
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
                    path="/api/admin/groups/remove"
                    body={{ group, accounts: [id] }}
                    failed={words.leaveFailed}
                    {...(!losesPages(group) && { done: fill(words.left, { username, group }) })}
                    onDone={() => losesPages(group) && navigate('/profile')}
                  />
                }
              >
                <a href={`/admin/groups/${group}`} className="font-medium wrap-anywhere hover:underline">
                  <bdi translate="no">{group}</bdi>
                </a>
              </Row>
            </li>
          ))}
        </ul>
        {others.length > 0 && <AddToGroup shown={shown} groups={others} list={list} />}
      </Place>
    </Card>
  )
}

/**
 * Offers the groups that the account is not in. Messages and focus are at the list, because this form goes away with the last
 * group.
 */
function AddToGroup({
  shown,
  groups,
  list,
}: Pick<GroupsProps, 'shown' | 'groups'> & { list: RefObject<HTMLElement | null> }) {
  const words = useWords('adminAccounts')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form, { place: groupList })
  const refresh = useRefresh(list)
  const { id, username } = shown
  const obstacle = obstacleOf(shown)
  const obstacles = { disabled: words.administratorsAreEnabled, passkey: words.administratorsHavePasskeys }
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
            <Button type="submit" look="secondary" className="min-h-11.5" pending={action.pending !== null}>
              {words.add}
            </Button>
          </div>
        </Form>
      )}
      {groups.includes(administrators) && obstacle && <p className="text-small text-muted">{obstacles[obstacle]}</p>}
      {groups.includes(administrators) && obstacle === null && (
        <span className="outdent inline-flex">
          <Confirmed
            label={words.makeAdministrator}
            question={fill(words.joinAdminsQuestion, { username })}
            text={words.joinAdminsText}
            path="/api/admin/groups/add"
            body={{ group: administrators, accounts: [id] }}
            failed={words.joinFailed}
            done={fill(words.joined, { username, group: administrators })}
          />
        </span>
      )}
    </div>
  )
}
