import { SwitchPageLink } from '@/components/auth/switch-page-link'
import type { Site } from '@/lib/api/site'
import { fill } from '@/lib/messages/format/fill'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  site: Site
  href: string
}

/** What the sign-in page says to people without an account. Those with an invitation come by its own link. */
export function SignUpHint({ language: { locale, words }, site: { appName, signUp }, href }: Props) {
  const { newHere, createAccount, byInvitation } = words.signIn
  const question = fill(locale, newHere, { app: appName })
  if (signUp === 'open') return <SwitchPageLink question={question} href={href} name={createAccount} />
  return (
    signUp === 'invited' && (
      <p className="text-muted">
        {question} {byInvitation}
      </p>
    )
  )
}
