import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { NoScript } from '@/components/auth/no-script'
import { NoSignUp } from '@/components/auth/no-sign-up'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { SwitchPageLink } from '@/components/auth/switch-page-link'
import { FormShell } from '@/components/ui/form-shell'
import { pageLanguage } from '@/lib/http/language'
import { currentAccount, maySignUp, siteInfo } from '@/lib/http/page-data'
import { afterSignUp, redirectSignedIn, safeRedirect } from '@/lib/http/redirects'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: pageLanguage(await headers()).words.signUp.title,
})

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function SignUpPage({ searchParams }: Props) {
  const given = await searchParams
  const next = safeRedirect(given.next)
  const asked = await headers()
  if (await currentAccount(asked)) redirect(redirectSignedIn(next))
  const language = pageLanguage(asked)
  const site = siteInfo(language)
  const { forms, signUp, noScript } = language.words
  const [invitation] = [given.invitation].flat()
  if (!(await maySignUp(asked, invitation)))
    return <NoSignUp language={language} site={site} next={next} query={given} isInvited={invitation !== undefined} />
  return (
    <FormShell
      language={language}
      rooms={['signUp', 'passwordAdvice']}
      query={given}
      site={site}
      title={signUp.title}
      lead={site.passwords ? signUp.chooseUsername : signUp.chooseWithoutPassword}
      aside={<SwitchPageLink ask={signUp.haveAccount} href="/signin" name={forms.signIn} next={next} />}
    >
      <NoScript text={noScript.text} />
      <SignUpForm site={site} next={afterSignUp(given.next)} invitation={invitation} />
    </FormShell>
  )
}
