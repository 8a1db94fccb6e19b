'use client'

import { useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'

interface Props {
  /** Of the view that takes a recovery code. */
  recovery: string
  appName: string
  children: ReactNode
}

/** The heading of the view that SignInMethods shows, and its title where the view changed without the server. */
export function SignInTitle({ recovery, appName, children }: Props) {
  const isRecovering = useSearchParams().has('recover')
  useEffect(() => {
    if (!isRecovering) return
    const { title } = document
    document.title = `${recovery} · ${appName}`
    return () => {
      document.title = title
    }
  }, [isRecovering, recovery, appName])
  return isRecovering ? recovery : children
}
