import { SwitchPageLink } from '@/components/auth/switch-page-link'
import type { Site } from '@/lib/browser/site'

/** What the sign-in page says to people without an account. Those with an invitation come by its own link. */
export function SignUpHint({ site: { appName, signUp }, next }: { site: Site; next: string }) {
  const ask = `New to ${appName}?`
  if (signUp === 'open') return <SwitchPageLink ask={ask} href="/signup" name="Create an account" next={next} />
  return signUp === 'invited' && <p className="text-muted">{ask} Accounts are by invitation.</p>
}
