'use client'

import { useEffect } from 'react'

/** Stands last on a page, so that what a press needs is there when the one that `PressKeeper` kept is replayed. */
export function ReplayPress() {
  // Not in the effect itself, in which React hydrates nothing: what is inside a Suspense may still have to be.
  useEffect(() => queueMicrotask(() => dispatchEvent(new Event('hydrated'))), [])
  return null
}
