import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { NoScript } from '@/components/auth/no-script'
import { SignInMethods } from '@/components/auth/sign-in-methods'
import { SignUpHint } from '@/components/auth/sign-up-hint'
import { FormShell } from '@/components/ui/form-shell'
import { currentAccount, siteInfo } from '@/lib/http/page-data'
import { afterSignIn, redirectSignedIn, safeRedirect } from '@/lib/http/redirects'

export const metadata: Metadata = { title: 'Sign in' }

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignInPage({ searchParams }: Props) {
  const given = (await searchParams).next
  const next = afterSignIn(given)
  if (await currentAccount(await headers())) redirect(redirectSignedIn(next))
  const site = siteInfo()
  return (
    <FormShell site={site} title="Sign in" aside={<SignUpHint site={site} next={safeRedirect(given)} />}>
      <NoScript />
      <SignInMethods site={site} next={next} />
    </FormShell>
  )
}
