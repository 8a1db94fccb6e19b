import { SwitchPageLink } from '@/components/auth/switch-page-link'
import { FormShell } from '@/components/ui/form-shell'
import type { Site } from '@/lib/browser/site'

/** The sign-up page for people who cannot sign up. */
export function NoSignUp({ site, next, isInvited }: { site: Site; next: string; isInvited: boolean }) {
  const { title, text } = reason(site, isInvited)
  return (
    <FormShell
      site={site}
      title={title}
      aside={<SwitchPageLink ask="Already have an account?" href="/signin" name="Sign in" next={next} />}
    >
      <p className="text-muted">{text}</p>
    </FormShell>
  )
}

function reason({ appName, signUp }: Site, isInvited: boolean) {
  if (signUp === 'closed')
    return { title: 'Sign-up is closed', text: `${appName} isn't taking new accounts at the moment.` }
  if (isInvited)
    return {
      title: "This invitation can't be used",
      text: 'It has expired, or somebody has already created an account with it. Ask for another one.',
    }
  return {
    title: 'Sign-up is by invitation',
    text: `To create an account, open the link in your invitation. If you have none, ask the people who run ${appName}.`,
  }
}
