'use client'

import { useRef, useState } from 'react'
import type { AccountAction } from '@/components/account/forms/use-account-action'
import { useRefresh } from '@/components/account/forms/use-refresh'
import { useQuestionOnLeaving } from '@/components/account/recovery/unsaved-codes'
import type { StatusMessage } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { createRecoveryCodes } from '@/lib/browser/account'

/**
 * Creates recovery codes as `action`, and keeps them until they are dropped.
 *
 * @param onCreated called before the page has learned of them
 * @returns `sheet`: of what shows them, which gets the focus
 */
export function useCreateCodes({ run, pending }: Pick<AccountAction, 'run' | 'pending'>, onCreated?: () => void) {
  const { saveCodes } = useWords('profile')
  const sheet = useRef<HTMLElement>(null)
  const refresh = useRefresh(sheet)
  // From the press on: when the request leaves is not known here, and from then on the server may have replaced the current codes.
  useQuestionOnLeaving(pending === 'codes')
  const [codes, setCodes] = useState<string[] | null>(null)
  function keep(created: string[]) {
    setCodes(created)
    onCreated?.()
  }
  function createCodes() {
    const onDone = (): StatusMessage => {
      refresh()
      // No success yet, with its tick: the codes are still to be saved.
      return { tone: 'info', text: saveCodes }
    }
    run('codes', () => createRecoveryCodes(keep), onDone)
  }
  return { codes, sheet, createCodes, dropCodes: () => setCodes(null) }
}
