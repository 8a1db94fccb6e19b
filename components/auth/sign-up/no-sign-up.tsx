import { SupportLink } from '@/components/auth/sign-up/support-link'
import { SwitchPageButton } from '@/components/auth/switch-page-link'
import { CardShell } from '@/components/ui/page/card-shell'
import type { PageQuery } from '@/components/ui/page/language-switch'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/fill'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  site: Site
  signInHref: string
  query: PageQuery
}

/** The sign-up page for people who cannot sign up. */
export function NoSignUp({ language, site, signInHref, query }: Props) {
  const { locale, words } = language
  const { title, text } = noSignUpWords(words.signUp, site)
  return (
    <CardShell
      language={language}
      namespaces={[]}
      query={query}
      site={site}
      title={title}
      lead={fill(locale, text, { app: site.appName })}
    >
      <SupportLink url={site.supportUrl} text={words.failures.contactSupport} />
      <SwitchPageButton question={words.signUp.haveAccount} href={signInHref} name={words.forms.signIn} />
    </CardShell>
  )
}

export const noSignUpWords = (words: Words['signUp'], { signUp }: Site) =>
  signUp === 'closed'
    ? { title: words.closed, text: words.closedText }
    : { title: words.badInvitation, text: words.badInvitationText }
