import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { NoScript } from '@/components/auth/no-script'
import { SignInMethods } from '@/components/auth/sign-in-methods'
import { SignUpHint } from '@/components/auth/sign-up-hint'
import { FormShell } from '@/components/ui/form-shell'
import { pageLanguage } from '@/lib/http/language'
import { currentAccount, siteInfo } from '@/lib/http/page-data'
import { afterSignIn, redirectSignedIn, safeRedirect } from '@/lib/http/redirects'

export const generateMetadata = async (): Promise<Metadata> => ({
  title: pageLanguage(await headers()).words.signIn.title,
})

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams
  const next = afterSignIn(query.next)
  const language = pageLanguage(await headers())
  const { signIn, noScript } = language.words
  if (await currentAccount(await headers())) redirect(redirectSignedIn(next))
  const site = siteInfo()
  return (
    <FormShell
      language={language}
      rooms={['signIn']}
      query={query}
      site={site}
      title={signIn.title}
      aside={<SignUpHint language={language} site={site} next={safeRedirect(query.next)} />}
    >
      <NoScript text={noScript.text} />
      <SignInMethods site={site} next={next} />
    </FormShell>
  )
}
