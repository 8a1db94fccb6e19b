'use client'

import { useRef, useState } from 'react'
import type { AccountAction } from '@/components/account/forms/use-account-action'
import { useRefresh } from '@/components/account/forms/use-refresh'
import type { StatusMessage } from '@/components/ui/feedback/page-feedback'
import { useQuestionOnLeaving } from '@/components/ui/unsaved'
import { useWords } from '@/components/ui/words/words'
import { createRecoveryCodes } from '@/lib/browser/account'

/**
 * Creates recovery codes as `action`, and keeps them until the page drops them.
 *
 * @param onCreated runs before the page has learned of them
 * @returns `sheet` is the element that shows them, which gets the focus
 */
export function useCreateCodes({ run, pending }: Pick<AccountAction, 'run' | 'pending'>, onCreated?: () => void) {
  const { saveCodes } = useWords('profile')
  const sheet = useRef<HTMLElement>(null)
  const refresh = useRefresh(sheet)
  // Asks from the press on, since the server may replace the current codes as soon as the request leaves.
  useQuestionOnLeaving(pending === 'codes')
  const [codes, setCodes] = useState<string[] | null>(null)
  function keep(created: string[]) {
    setCodes(created)
    onCreated?.()
  }
  function createCodes() {
    const onDone = (): StatusMessage => {
      refresh()
      // An information and no success, with its tick: the person has yet to save the codes.
      return { tone: 'info', text: saveCodes }
    }
    run('codes', () => createRecoveryCodes(keep), onDone)
  }
  return { codes, sheet, createCodes, dropCodes: () => setCodes(null) }
}
