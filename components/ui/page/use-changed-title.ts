'use client'

import { useEffect, useRef } from 'react'

/** Titles the document after its heading once that has changed without the server, whose title stands until then. */
export function useChangedTitle(heading: string, appName: string): void {
  const titled = useRef(heading)
  useEffect(() => {
    if (titled.current === heading) return
    titled.current = heading
    document.title = `${heading} · ${appName}`
  }, [heading, appName])
}
