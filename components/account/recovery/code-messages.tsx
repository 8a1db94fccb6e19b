'use client'

import { ActionMessages } from '@/components/account/forms/action-messages'
import type { Action } from '@/components/ui/feedback/use-action'

/** Of the action that creates codes. While they are shown, the sheet says this itself; the hidden message is still announced. */
export const CodeMessages = ({ action, codes }: { action: Action; codes: string[] | null }) => (
  <div hidden={codes !== null}>
    <ActionMessages action={action} />
  </div>
)
