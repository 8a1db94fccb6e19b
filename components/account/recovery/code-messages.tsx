'use client'

import { ActionMessages } from '@/components/account/forms/action-messages'
import type { Action } from '@/components/ui/feedback/use-action'

/**
 * Messages of the action that creates codes. While the sheet is open, it says this itself; screen readers announce the hidden
 * message.
 */
export const CodeMessages = ({ action, codes }: { action: Action; codes: string[] | null }) => (
  <div hidden={codes !== null}>
    <ActionMessages action={action} />
  </div>
)
