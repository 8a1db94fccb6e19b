import { navigate } from '@/components/ui/navigation'

/** Continues after signing in, with the fragment. */
export const navigateAfterSignIn = (next: string, onStay?: () => void): undefined =>
  navigate(withFragment(next, window.location.hash), onStay)

/**
 * Keeps the fragment, which browsers carry through redirects, as from /.well-known/change-password, unless it is an
 * invitation, which no app needs to see.
 */
export const withFragment = (next: string, fragment: string): string =>
  next.includes('#') || fragment.startsWith('#invitation=') ? next : next + fragment
