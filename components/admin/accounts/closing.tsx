'use client'

import { Confirmed } from '@/components/admin/confirmed'
import { Card } from '@/components/ui/card'
import { Messages } from '@/components/ui/feedback/page-feedback'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { ShownAccount } from '@/lib/api/schemas'

const place = 'closing-list'

/** Closes the account, for a while or for good. */
export function Closing({ shown: { id, username, disabled } }: { shown: ShownAccount }) {
  const words = useWords('adminAccounts')
  const forms = useWords('forms')
  const fill = useFill()
  return (
    <Card title={words.closing} titleId="closing">
      <div id={place} tabIndex={-1} className="px-card py-4 outline-none">
        <Messages place={place} className="not-empty:pb-4" />
        <p className="text-muted">{disabled ? words.isDisabledText : words.disableAbout}</p>
        <div className="mt-3">
          {disabled ? (
            <Confirmed
              label={words.enable}
              look="secondary"
              question={fill(words.enableQuestion, { username })}
              text={words.enableText}
              confirm={words.enable}
              path="/api/admin/accounts/enable"
              body={{ id }}
              failed={words.enableFailed}
              place={place}
              done={fill(words.enabledDone, { username })}
            />
          ) : (
            <Confirmed
              label={words.disable}
              look="secondary"
              question={fill(words.disableQuestion, { username })}
              text={words.disableText}
              confirm={words.disable}
              path="/api/admin/accounts/disable"
              body={{ id }}
              failed={words.disableFailed}
              place={place}
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
            confirm={words.delete}
            typed={{
              text: username,
              label: forms.username,
              instruction: fill(words.typeToDelete, { username }),
            }}
            path="/api/admin/accounts/delete"
            body={{ id }}
            failed={words.deleteFailed}
            place={place}
            onDone={() => navigate('/admin/accounts')}
          >
            <BinIcon />
          </Confirmed>
        </span>
      </div>
    </Card>
  )
}
