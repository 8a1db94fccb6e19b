import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { AboutPasskeys } from '@/components/about-passkeys'
import { NoScript } from '@/components/no-script'
import { OtherPage } from '@/components/other-page'
import { VisitorShell } from '@/components/shell'
import { SignUpForm } from '@/components/sign-up-form'
import { currentAccount, safeNext, siteInfo } from '@/lib/web/page'

export const metadata: Metadata = { title: 'Create your account' }

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignUpPage({ searchParams }: Props) {
  const next = safeNext((await searchParams).next)
  if (await currentAccount(await headers())) redirect(next)
  const site = siteInfo()
  return (
    <VisitorShell
      appName={site.appName}
      title="Create your account"
      lead="Choose a name, then a way to come back."
      aside={
        <>
          <AboutPasskeys />
          <OtherPage ask="Already have an account?" href="/signin" name="Sign in" next={next} />
        </>
      }
    >
      <NoScript />
      <SignUpForm site={site} next={next} />
    </VisitorShell>
  )
}
