import { SwitchPageLink } from '@/components/auth/switch-page-link'
import type { Site } from '@/lib/api/site'
import { fill } from '@/lib/messages/format/fill'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  site: Site
  next: string
}

/** What the sign-in page says to people without an account. Those with an invitation come by its own link. */
export function SignUpHint({ language: { locale, words }, site: { appName, signUp }, next }: Props) {
  const { newHere, createAccount, byInvitation } = words.signIn
  const question = fill(locale, newHere, { app: appName })
  if (signUp === 'open') return <SwitchPageLink question={question} href="/signup" name={createAccount} next={next} />
  return (
    signUp === 'invited' && (
      <p className="text-muted">
        {question} {byInvitation}
      </p>
    )
  )
}
