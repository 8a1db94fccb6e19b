import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { SwitchPageLink } from '@/components/auth/switch-page-link'
import { AboutPasskeys } from '@/components/passkeys/about-passkeys'
import { NoScript } from '@/components/ui/no-script'
import { VisitorShell } from '@/components/ui/page-shell'
import { currentAccount, siteInfo } from '@/lib/http/page-data'
import { safeRedirect } from '@/lib/http/redirects'

export const metadata: Metadata = { title: 'Create your account' }

interface Props {
  searchParams: Promise<{ next?: string | string[] }>
}

export default async function SignUpPage({ searchParams }: Props) {
  const next = safeRedirect((await searchParams).next)
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
          <SwitchPageLink ask="Already have an account?" href="/signin" name="Sign in" next={next} />
        </>
      }
    >
      <NoScript />
      <SignUpForm site={site} next={next} />
    </VisitorShell>
  )
}
