'use client'

import { Confirmed } from '@/components/admin/confirmed'
import { Card } from '@/components/ui/card'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import { administrators } from '@/lib/api/names'
import { listed } from '@/lib/messages/format/text'

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
  const leaves = isOwn && group === administrators
  return (
    <Confirmed
      label={remove}
      fullLabel={fill(words.removeMember, { username })}
      question={fill(words.removeQuestion, { username, group })}
      text={group === administrators ? words.removeAdminText : words.removeText}
      confirm={remove}
      path="/api/admin/groups/remove"
      body={{ group, accounts: [id] }}
      failed={words.removeFailed}
      place="member-list"
      {...(!leaves && { done: fill(words.removed, { username }) })}
      onDone={() => leaves && navigate('/profile')}
    />
  )
}

/** @param apps the names of those that ask for the group */
export function DeleteGroup({ group, apps }: { group: string; apps: string[] }) {
  const words = useWords('adminGroups')
  const fill = useFill()
  const locale = useLocale()
  return (
    <Card title={words.deleteTitle} titleId="delete">
      <div id="delete-group" tabIndex={-1} className="px-card py-4 outline-none">
        <p className="text-muted">{words.deleteAbout}</p>
        <span className="outdent mt-1 inline-flex">
          <Confirmed
            label={words.delete}
            look="quiet-danger"
            question={fill(words.deleteQuestion, { group })}
            text={apps.length === 0 ? words.deleteText : fill(words.deleteTextApps, { apps: listed(locale, apps) })}
            confirm={words.delete}
            path="/api/admin/groups/delete"
            body={{ group }}
            failed={words.deleteFailed}
            place="delete-group"
            onDone={() => navigate('/admin/groups')}
          >
            <BinIcon />
          </Confirmed>
        </span>
      </div>
    </Card>
  )
}
