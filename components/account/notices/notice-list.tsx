'use client'

import type { ReactNode } from 'react'
import { EventSource } from '@/components/account/activity/event-source'
import { AlertIcon } from '@/components/ui/icons/form-icons'
import { useLocale, useWords } from '@/components/ui/words/words'
import { type Notice, noticeText } from '@/lib/activity/notices'

export function NoticeList({ notices }: { notices: Notice[] }) {
  const activity = { locale: useLocale(), words: useWords('activity') }
  const words = useWords('notices')
  return (
    <ul className="mt-3 divide-y divide-danger-line border-t border-danger-line">
      {notices.map((notice) => (
        <li key={`${notice.type} ${notice.browsers[0]}`} className="py-2.5">
          <p>{noticeText(activity, words, notice)}</p>
          {/* An event counts failures of several browsers, and names one. */}
          <EventSource {...notice} mayMissBrowsers={notice.type === 'signin_failed' && notice.count > 1} isEvidence />
        </li>
      ))}
    </ul>
  )
}

export const NoticeTitle = ({ id, children }: { id: string; children: ReactNode }) => (
  <h2 id={id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-title font-semibold">
    <span className="text-danger">
      <AlertIcon />
    </span>
    <span className="min-w-0 grow basis-32 break-words">{children}</span>
  </h2>
)
