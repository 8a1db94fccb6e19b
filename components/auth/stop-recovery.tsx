'use client'

import { useRef, useState } from 'react'
import { useNewView, View } from '@/components/auth/recovery'
import { useFragment } from '@/components/auth/url-fragment'
import { Button, ButtonLink } from '@/components/ui/button'
import { Messages, PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useAction } from '@/components/ui/feedback/use-action'
import { useKeepQueryInLanguageLinks } from '@/components/ui/page/title-and-url'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { stopRecovery } from '@/lib/browser/sign-in/recover'

/** Stops a recovery by the letter that says that it waits, and by a press: programs that look at links stop nothing. */
export function StopRecovery({ site }: { site: Site }) {
  useKeepQueryInLanguageLinks()
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      <Stop appName={site.appName} />
    </PageFeedbackProvider>
  )
}

function Stop({ appName }: Pick<Site, 'appName'>) {
  const words = useWords('recover')
  const token = useFragment() ?? ''
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const focusTitle = useNewView()
  const [end, setEnd] = useState<'stopped' | 'over' | null>(null)
  function stop() {
    let reached: 'stopped' | 'over' = 'stopped'
    const run = () =>
      stopRecovery(token, () => {
        reached = 'over'
      })
    void action.run('stop', run, () => {
      setEnd(reached)
      focusTitle()
      return undefined
    })
  }
  const signIn = <ButtonLink href="/signin">{words.signIn}</ButtonLink>
  return (
    <div ref={scope}>
      {end === null ? (
        <View title={words.stopTitle} lead={words.stop} appName={appName}>
          <Messages live place={action.place} />
          <Button look="danger" className="w-full" pending={action.pending === 'stop'} onClick={stop}>
            {words.stopIt}
          </Button>
        </View>
      ) : (
        <View
          title={end === 'stopped' ? words.stoppedTitle : words.overStopTitle}
          lead={end === 'stopped' ? words.stopped : words.overStop}
          appName={appName}
        >
          <div className="grid">{signIn}</div>
        </View>
      )}
    </div>
  )
}
