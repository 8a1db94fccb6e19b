import { TextLink } from '@/components/ui/text-link'
import type { Site } from '@/lib/api/site'
import { fill } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'
import { SwitchPageLink } from '../switch-page-link'

/** Makes this browser forget its last sign-in; `preparePage()` removes the cookie. Works without JavaScript. */
export function ForgetLink({ text, next }: { text: string; next?: string | undefined }) {
  const query = next === undefined ? '?forget' : `?${new URLSearchParams({ next })}&forget`
  return (
    <p>
      <a
        href={query}
        rel="nofollow"
        className="inline-flex min-h-11 items-center text-small text-muted underline decoration-edge underline-offset-4 hover:text-ink"
      >
        {text}
      </a>
    </p>
  )
}

/** Leads to the ways back into an account, where there are more than a recovery code. */
export const CannotSignIn = ({ text }: { text: string }) => (
  <p className="text-center">
    <TextLink href="/recover">{text}</TextLink>
  </p>
)

interface Props {
  language: PageLanguage
  site: Site
  href: string
}

/** Advises people without an account on the sign-in page. Those with an invitation come by its own link. */
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
