'use client'

import { useRef } from 'react'
import { ActionMessages, useRefresh } from '@/components/account/action'
import { useAdminAction } from '@/components/admin/actions'
import { RowList } from '@/components/admin/lists'
import { Badge } from '@/components/ui/badge'
import { Button, ButtonLink } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { Field, Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { Moment } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { PostResult } from '@/lib/api/endpoints'
import { sendLetterToTry } from '@/lib/browser/admin'

type Delivery = PostResult<'/api/admin/deliveries'>['deliveries'][number] & {
  /** Says what it is about */
  name: string
}

const place = 'deliveries'

/** Lists messages that wait for their next attempt or have failed for good, each with a button that tries again. */
export function Undelivered({ deliveries }: { deliveries: Delivery[] }) {
  const words = useWords('deliveries')
  const list = useRef<HTMLDivElement>(null)
  const action = useAdminAction(list, { place })
  const refresh = useRefresh(list)
  const retry = (id: string) =>
    action.call(id, '/api/admin/deliveries/retry', { id }, { title: words.retryFailed }, () => {
      refresh()
      return words.retried
    })
  return (
    <RowList
      list={list}
      place={place}
      empty={{ title: words.none, text: words.noneText }}
      rows={deliveries.map((delivery) => (
        <li key={delivery.id} className="py-3">
          <Row
            isLong
            controls={
              <>
                {delivery.account !== null && (
                  <ButtonLink href={`/admin/accounts/${delivery.account}`} look="plain">
                    {words.account}
                  </ButtonLink>
                )}
                <Button
                  look="plain"
                  aria-label={`${words.retry}: ${delivery.name}`}
                  pending={action.pending === delivery.id}
                  disabled={action.busy}
                  onClick={() => retry(delivery.id)}
                >
                  {words.retry}
                </Button>
              </>
            }
          >
            <Facts delivery={delivery} />
          </Row>
        </li>
      ))}
    />
  )
}

function Facts({ delivery: { name, type, receiver, error, nextAt } }: { delivery: Delivery }) {
  const words = useWords('deliveries')
  return (
    <>
      <p className="font-medium">
        {name}
        {nextAt === null && <Badge>{words.failed}</Badge>}
      </p>
      {!type.startsWith('letter.') && (
        <p className="text-small wrap-anywhere text-muted">
          <bdi translate="no">{receiver}</bdi>
        </p>
      )}
      {error !== null && (
        <p className="text-small text-muted">
          <bdi lang="en">{error}</bdi>
        </p>
      )}
      {nextAt !== null && (
        <p className="text-small text-muted">
          <Filled message={words.next} values={{ when: <Moment at={nextAt} /> }} />
        </p>
      )}
    </>
  )
}

/** Sends a letter at once, and says what the mail server answers. */
export function TryLetter() {
  const words = useWords('deliveries')
  const fill = useFill()
  const form = useRef<HTMLFormElement>(null)
  const action = useAdminAction(form)
  const submit = submitWhenFilled(action, (data) => {
    const email = textOf(data, 'email').trim()
    action.run(
      'try',
      () => sendLetterToTry(email),
      () => fill(words.sent, { address: email }),
    )
  })
  return (
    <section aria-labelledby="try" className="mt-10 max-w-xl">
      <h2 id="try" className="text-title font-semibold">
        {words.tryTitle}
      </h2>
      <p className="mt-1 mb-4 text-muted">{words.tryText}</p>
      <Form action={action} ref={form} onSubmit={submit} className="space-y-4">
        <ActionMessages action={action} />
        <Field
          name="email"
          type="email"
          inputMode="email"
          label={words.address}
          missing={words.enterAddress}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          error={action.failure?.fields.email}
        />
        <Button type="submit" pending={action.pending !== null}>
          {words.send}
        </Button>
      </Form>
    </section>
  )
}
