'use client'

import { usePathname } from 'next/navigation'
import { ButtonLink } from '@/components/ui/button'
import { Outcomes } from '@/components/ui/notice'
import type { Action, Remark } from '@/components/ui/use-action'

/** What became of an action on the account. Whoever turned out to be signed out gets the way back in. */
export function ActionOutcomes({ action, told }: { action: Action; told?: string | null }) {
  const path = usePathname()
  const remark: Remark | null = told ? { tone: 'success', text: told } : null
  return (
    <>
      <Outcomes failure={action.failure} remark={remark ?? action.remark} />
      {action.failure?.code === 'not_signed_in' && (
        <p className="mb-5">
          <ButtonLink href={`/signin?next=${path}`}>Sign in</ButtonLink>
        </p>
      )}
    </>
  )
}
