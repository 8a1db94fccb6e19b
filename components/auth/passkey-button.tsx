'use client'

import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/form-icons'
import { useIsPromptOpen } from '@/components/ui/page-feedback'
import { useWords } from '@/components/ui/words'

/** Starts a ceremony, and says so while the browser waits for the device. */
export function PasskeyButton({ children, ...button }: ComponentProps<typeof Button>) {
  const { waiting } = useWords('forms')
  const isPromptOpen = useIsPromptOpen()
  return (
    <Button {...button}>
      {!button.pending && <PasskeyIcon />}
      {button.pending && isPromptOpen ? waiting : children}
    </Button>
  )
}
