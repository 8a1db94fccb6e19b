'use client'

import { useInvitation } from '@/components/auth/sign-up/use-invitation'
import { useChangedTitle } from '@/components/ui/page/use-changed-title'

interface Props {
  signUp: string
  /** Of the page without an invitation, which only the browser knows of. */
  byInvitation: string
  appName: string
}

/** The heading of what SignUpForm shows where sign-up takes an invitation. */
export function InvitationTitle({ signUp, byInvitation, appName }: Props) {
  const heading = useInvitation() === null ? byInvitation : signUp
  useChangedTitle(heading, appName)
  return heading
}
