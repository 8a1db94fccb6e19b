'use client'

import { useSearchParams } from 'next/navigation'
import { useChangedTitle } from '@/components/ui/page/use-changed-title'

interface Props {
  signIn: string
  /** Of the view that takes a recovery code. */
  recovery: string
  appName: string
}

/** The heading of the view that SignInMethods shows. */
export function SignInTitle({ signIn, recovery, appName }: Props) {
  const isRecovering = useSearchParams().has('recover')
  const heading = isRecovering ? recovery : signIn
  useChangedTitle(heading, appName)
  return heading
}
