import { ButtonLink } from '@/components/ui/button'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'

interface WaysInProps {
  words: Words
  signUp: Site['signUp']
  /** Of the first way. */
  look: 'primary' | 'secondary'
}

/** Signing up, where that is open, and signing in. */
export function WaysIn({ words, signUp, look }: WaysInProps) {
  const isOpen = signUp === 'open'
  return (
    <>
      <div className="grid gap-2.5">
        {isOpen && (
          <ButtonLink href="/signup" look={look}>
            {words.signIn.createAccount}
          </ButtonLink>
        )}
        <ButtonLink href="/signin" look={isOpen ? 'secondary' : look}>
          {words.forms.signIn}
        </ButtonLink>
      </div>
      {signUp === 'invited' && <p className="mt-3 text-center text-muted">{words.signIn.byInvitation}</p>}
    </>
  )
}
