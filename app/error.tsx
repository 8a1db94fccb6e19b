'use client'

import { lazy, Suspense } from 'react'
import type { FailedPageProps } from '@/components/ui/page/failed-page'

/** Loads only when something fails, so that no other page waits for it. */
const FailedPage = lazy(() => import('@/components/ui/page/failed-page'))

export default function PageError(props: FailedPageProps) {
  return (
    <Suspense>
      <FailedPage {...props} />
    </Suspense>
  )
}
