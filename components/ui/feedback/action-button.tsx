'use client'

import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import type { Action } from '@/components/ui/feedback/use-action'

interface Props extends ComponentProps<typeof Button> {
  action: Action
  /** The name of the action that the button starts */
  name: string
}

/** Shows that its action runs; while another does, it takes no press. */
export const ActionButton = ({ action, name, ...button }: Props) => (
  <Button {...button} pending={action.pending === name} disabled={action.pending !== null} />
)
