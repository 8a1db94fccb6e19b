import { SwitchPageLink } from '@/components/auth/switch-page-link'
import { FormShell } from '@/components/ui/form-shell'
import type { Site } from '@/lib/api/site'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  site: Site
  next: string
  query: Record<string, string | string[] | undefined>
  isInvited: boolean
}

/** The sign-up page for people who cannot sign up. */
export function NoSignUp({ language, site, next, query, isInvited }: Props) {
  const { locale, words } = language
  const { title, text } = reason(words.signUp, site, isInvited)
  return (
    <FormShell
      language={language}
      namespaces={[]}
      query={query}
      site={site}
      title={title}
      aside={<SwitchPageLink ask={words.signUp.haveAccount} href="/signin" name={words.forms.signIn} next={next} />}
    >
      <p className="text-center text-balance text-muted">{fill(locale, text, { app: site.appName })}</p>
    </FormShell>
  )
}

function reason(words: Words['signUp'], { signUp }: Site, isInvited: boolean) {
  if (signUp === 'closed') return { title: words.closed, text: words.closedText }
  if (isInvited) return { title: words.badInvitation, text: words.badInvitationText }
  return { title: words.byInvitation, text: words.byInvitationText }
}
