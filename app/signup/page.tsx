import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { NoScript } from '@/components/auth/no-script'
import { NoSignUp } from '@/components/auth/no-sign-up'
import { SignUpForm } from '@/components/auth/sign-up-form'
import { SwitchPageLink } from '@/components/auth/switch-page-link'
import { AboutPasskeys } from '@/components/passkeys/about-passkeys'
import { FormShell } from '@/components/ui/form-shell'
import { currentAccount, maySignUp, siteInfo } from '@/lib/http/page-data'
import { redirectSignedIn, safeRedirect } from '@/lib/http/redirects'

export const metadata: Metadata = { title: 'Create your account' }

interface Props {
  searchParams: Promise<{ next?: string | string[]; invitation?: string | string[] }>
}

export default async function SignUpPage({ searchParams }: Props) {
  const given = await searchParams
  const next = safeRedirect(given.next)
  if (await currentAccount(await headers())) redirect(redirectSignedIn(next))
  const site = siteInfo()
  const [invitation] = [given.invitation].flat()
  if (!(await maySignUp(await headers(), invitation)))
    return <NoSignUp site={site} next={next} isInvited={invitation !== undefined} />
  return (
    <FormShell
      site={site}
      title="Create your account"
      lead={
        site.passwords
          ? 'Choose a username and how you want to sign in.'
          : 'Choose a username. You sign in with your fingerprint, face or screen lock, without a password.'
      }
      aside={
        <>
          <AboutPasskeys />
          <SwitchPageLink ask="Already have an account?" href="/signin" name="Sign in" next={next} />
        </>
      }
    >
      <NoScript />
      <SignUpForm site={site} next={next} invitation={invitation} />
    </FormShell>
  )
}
