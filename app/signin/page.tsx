import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { NoScript } from '@/components/no-script'
import { OtherPage } from '@/components/other-page'
import { VisitorShell } from '@/components/shell'
import { SignInWays } from '@/components/sign-in-ways'
import { currentAccount, safeNext, siteInfo } from '@/lib/web/page'

export const metadata: Metadata = { title: 'Sign in' }

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignInPage({ searchParams }: Props) {
  const next = safeNext((await searchParams).next)
  if (await currentAccount(await headers())) redirect(next)
  const site = siteInfo()
  return (
    <VisitorShell
      appName={site.appName}
      title="Sign in"
      aside={<OtherPage ask={`New to ${site.appName}?`} href="/signup" name="Create an account" next={next} />}
    >
      <NoScript />
      <SignInWays site={site} next={next} />
    </VisitorShell>
  )
}
