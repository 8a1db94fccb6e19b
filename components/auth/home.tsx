import type { ReactNode } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { DeviceIcon, SheetIcon } from '@/components/ui/icons/icons'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'

/** Tells visitors what this is. */
export function About({ words }: { words: Words['home'] }) {
  return (
    <ul className="mt-7 space-y-3 border-t border-line pt-6 text-small text-muted">
      <Line icon={<PasskeyIcon />} text={words.passkeys} />
      <Line icon={<DeviceIcon />} text={words.sessions} />
      <Line icon={<SheetIcon />} text={words.codes} />
    </ul>
  )
}

function Line({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <li className="flex flex-wrap gap-x-3">
      <span className="mt-0.5 text-accent">{icon}</span>
      <p className="min-w-0 grow basis-36">{text}</p>
    </li>
  )
}

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
