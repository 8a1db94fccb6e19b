'use client'

import { useEffect } from 'react'

/** Replays the press that `PressKeeper` kept. Rendered last, so that all other effects have run. */
export function ReplayPress() {
  // In a microtask: React hydrates nothing during an effect, and the pressed button may be inside a Suspense.
  useEffect(() => queueMicrotask(() => dispatchEvent(new Event('hydrated'))), [])
  return null
}
