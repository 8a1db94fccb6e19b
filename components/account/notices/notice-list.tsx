'use client'

import { EventSource } from '@/components/account/activity/event-source'
import { useLocale, useWords } from '@/components/ui/words/words'
import { type Notice, noticeText } from '@/lib/activity/notices'

export function NoticeList({ notices }: { notices: Notice[] }) {
  const activity = { locale: useLocale(), words: useWords('activity') }
  const words = useWords('notices')
  return (
    <ul className="divide-y divide-danger-line">
      {notices.map((notice) => (
        <li key={`${notice.type} ${notice.browsers[0]}`} className="py-2.5">
          <p className="font-medium">{noticeText(activity, words, notice)}</p>
          <EventSource {...notice} latest={notice.count > 1} />
        </li>
      ))}
    </ul>
  )
}
