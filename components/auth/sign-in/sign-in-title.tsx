'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'

interface Props {
  signIn: string
  /** Of the view that takes a recovery code. */
  recovery: string
  appName: string
}

/** The heading of the view that SignInMethods shows, and its title where the view changed without the server. */
export function SignInTitle({ signIn, recovery, appName }: Props) {
  const isRecovering = useSearchParams().has('recover')
  const heading = isRecovering ? recovery : signIn
  // The server's title, which may also say what has just happened, stands until then.
  const titled = useRef(heading)
  useEffect(() => {
    if (titled.current === heading) return
    titled.current = heading
    document.title = `${heading} · ${appName}`
  }, [heading, appName])
  return heading
}
