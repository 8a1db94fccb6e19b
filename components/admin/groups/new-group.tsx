'use client'

import { useRef } from 'react'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useAdminAction } from '@/components/admin/use-admin-action'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/forms/field'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'

/** Makes a group, or opens the one that has the name already. */
export function NewGroup() {
  const words = useWords('adminGroups')
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const submit = submitWhenFilled(action, (data) => {
    const group = textOf(data, 'group').trim()
    const wording = { title: words.makeFailed, fields: ['group'] }
    action.call('make', '/api/admin/groups/add', { group }, wording, () => navigate(`/admin/groups/${group}`))
    return undefined
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
        <Button type="submit" className="mt-7" pending={action.pending !== null}>
          {words.make}
        </Button>
      </div>
    </Form>
  )
}
