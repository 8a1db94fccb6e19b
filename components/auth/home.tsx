import { ButtonLink } from '@/components/ui/button'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'

interface Props {
  words: Words
  signUp: Site['signUp']
  /** True after somebody has deleted their account: there is nothing to press first, and mostly nothing to sign in to */
  hasDeleted: boolean
}

/** Links to the sign-up, where that is open, and to the sign-in. */
export function SignUpOrIn({ words, signUp, hasDeleted }: Props) {
  const isOpen = signUp === 'open'
  const look = hasDeleted ? 'secondary' : 'primary'
  return (
    <>
      <div className="grid gap-2.5">
        {isOpen && (
          <ButtonLink href="/signup" look={look}>
            {words.signIn.createAccount}
          </ButtonLink>
        )}
        {!(isOpen && hasDeleted) && (
          <ButtonLink href="/signin" look={isOpen ? 'secondary' : look}>
            {words.forms.signIn}
          </ButtonLink>
        )}
      </div>
      {signUp === 'invited' && <p className="mt-3 text-center text-muted">{words.signIn.byInvitation}</p>}
    </>
  )
}
