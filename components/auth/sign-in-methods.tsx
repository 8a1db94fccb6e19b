'use client'

import { useSearchParams } from 'next/navigation'
import { lazy, useState } from 'react'
import { SignInForm, type SignInProps } from '@/components/auth/sign-in-form'
import { PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useKeepQueryInLanguageLinks } from '@/components/ui/page/title-and-url'
import type { AuthenticationOptions } from '@/lib/api/schemas'
import { loadScript } from '@/lib/browser/failures/connection'
import type { Outcome } from '@/lib/browser/failures/outcomes'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import { optionsAtHand } from '@/lib/browser/sign-in/passkey-offer'

/** Loads apart from the page's script, since few people need this form. */
const loadRecoveryForm = () => import('./recovery-code-form')

/**
 * Loads the form during the press that shows it, so that the page can show a failure and the person can press again: a `lazy`
 * that has failed keeps failing until a reload.
 */
async function prepareRecovery(): Promise<Outcome> {
  const loaded = await loadScript(loadRecoveryForm)
  return 'failure' in loaded ? loaded.failure : 'done'
}

const RecoveryCodeForm = lazy(loadRecoveryForm)

interface Props extends Omit<SignInProps, 'options' | 'prepareRecovery' | 'onRecover'> {
  /** Null if the browser has to ask for them. */
  passkeyOptions: AuthenticationOptions | null
  /** Where a recovery code leads to */
  afterRecovery: string
}

/** The methods to sign in, and as a view with a URL of its own, `?recover`, the recovery code. */
export function SignInMethods({ passkeyOptions, afterRecovery, ...props }: Props) {
  const { site, closePage } = props
  const [options] = useState(() => optionsAtHand(passkeyOptions))
  const [username, setUsername] = useState(props.username)
  const isRecovering = useSearchParams().has('recover')
  useKeepQueryInLanguageLinks()
  // Gives both views the same username. Where passwords are off, one of them has no such field.
  function keepUsername() {
    const field = document.querySelector<HTMLInputElement>('[name=username]')
    if (field) setUsername(field.value)
  }
  return (
    <PageFeedbackProvider supportUrl={site.supportUrl}>
      <div onInput={keepUsername}>
        {/* No Suspense, whose content React would hydrate in a later task: the URL changes in a transition, which keeps this view until the other has loaded. */}
        {isRecovering ? (
          <RecoveryCodeForm
            site={site}
            username={username}
            next={afterRecovery}
            closePage={closePage}
            onBack={() => showRecovery(false)}
          />
        ) : (
          <SignInForm
            {...props}
            username={username}
            options={options}
            prepareRecovery={prepareRecovery}
            onRecover={() => {
              // Reads the fields once, because React replays no input from before hydration.
              keepUsername()
              showRecovery(true)
            }}
          />
        )}
      </div>
    </PageFeedbackProvider>
  )
}

/** Changes the view by the URL, which the browser's Back button understands; Next keeps useSearchParams() in step with it. */
function showRecovery(shows: boolean) {
  cancelPrompt()
  const { pathname, search, hash } = window.location
  const query = new URLSearchParams(search)
  if (shows) query.set('recover', '')
  else query.delete('recover')
  // Safari before 17 has no `query.size`.
  const kept = query.toString()
  window.history.pushState(null, '', `${pathname}${kept && `?${kept}`}${hash}`)
}
