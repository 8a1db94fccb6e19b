import type { ReactNode } from 'react'
import { AlertIcon, CheckIcon, PasskeyIcon } from '@/components/ui/icons/form-icons'
import { LockIcon, PersonIcon, SheetIcon, SignInIcon, SignOutIcon } from '@/components/ui/icons/icons'
import type { EventType } from '@/lib/api/schemas'

const icons: Record<EventType, () => ReactNode> = {
  account_created: PersonIcon,
  signed_in: SignInIcon,
  reauthenticated: CheckIcon,
  signin_failed: AlertIcon,
  locked_out: AlertIcon,
  passkey_added: PasskeyIcon,
  passkey_removed: PasskeyIcon,
  username_changed: PersonIcon,
  email_changed: PersonIcon,
  groups_changed: PersonIcon,
  password_changed: LockIcon,
  password_removed: LockIcon,
  recovery_codes_made: SheetIcon,
  signed_out_everywhere: SignOutIcon,
  account_disabled: AlertIcon,
  account_enabled: CheckIcon,
  app_allowed: CheckIcon,
  app_removed: SignOutIcon,
  refresh_token_reused: AlertIcon,
  signed_out_by_app: SignOutIcon,
}

/** In the colour of a warning where somebody failed to get in or was kept out. */
export function EventIcon({ type }: { type: EventType }) {
  // A newer backend may know more types than its front end.
  const Icon = icons[type] ?? PersonIcon
  return (
    <span className={`mt-0.5 ${Icon === AlertIcon ? 'text-danger' : 'text-muted'}`}>
      <Icon />
    </span>
  )
}
